import type { BadDesign } from '../design.js';
import { DAY, HOUR, MINUTE } from '../planting.js';

/** Arrays that nothing bounds. */
export const BAD_ARRAYS: readonly BadDesign[] = [
  {
    name: 'publisher-books',
    source: 'MongoDB manual, "Model One-to-Many Relationships with Document References": the variant that it warns of',
    why: 'The publisher lists its books. A few large publishers have thousands, and each new book adds one.',
    expected: {
      checks: ['long-reference-array', 'unbounded-array'],
      collection: 'publishers',
      path: 'books',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill(
        'publishers',
        p.times(900, () => ({
          _id: p.id(),
          name: p.words(2),
          founded: p.random.between(1850, 2010),
          books: p.times(p.heavyTailed(8, 9_000, 0.8), () => p.id()),
        })),
      ),
  },
  {
    name: 'post-comments',
    source: 'MongoDB, "Building with Patterns: The Subset Pattern", before the pattern is applied',
    why: 'Comments are embedded without a limit: popular posts have thousands, and all are read with each post.',
    expected: { checks: ['unbounded-array'], collection: 'posts', path: 'comments', severity: 'warning' },
    plant: (p) =>
      p.fill(
        'posts',
        p.times(1_500, () => ({
          _id: p.id(),
          title: p.words(6),
          body: p.words(120),
          comments: p.times(p.heavyTailed(4, 3_500, 0.9) - 4, () => ({
            author: p.word(),
            at: p.date(),
            text: p.words(9),
          })),
        })),
      ),
  },
  {
    name: 'device-readings',
    source: 'MongoDB, "Building with Patterns: The Bucket Pattern", one document per device instead of buckets',
    why: 'Each device appends a reading every hour for as long as it lives: the oldest have thousands, and none is ever full.',
    expected: {
      checks: ['unbounded-array', 'fast-growing-array'],
      collection: 'devices',
      path: 'readings',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill(
        'devices',
        p.times(500, (index) => {
          const age = p.random.between(2, 240) * DAY;
          return {
            _id: p.id(age),
            serial: `D-${index}`,
            installed: p.date(age),
            readings: p.times(Math.floor(age / HOUR), (hour) => ({
              at: p.date(age - hour * HOUR),
              celsius: p.random.between(-10, 35),
            })),
          };
        }),
      ),
  },
  {
    name: 'chat-rooms',
    source: 'chat applications of tutorials: "each room holds its messages"',
    why: 'A room holds every message ever sent. Busy rooms have thousands, and every message rewrites the room.',
    expected: { checks: ['unbounded-array'], collection: 'rooms', path: 'messages', severity: 'warning' },
    plant: (p) =>
      p.fill(
        'rooms',
        p.times(700, () => ({
          _id: p.id(),
          name: p.words(2),
          members: p.times(p.random.between(2, 12), () => p.id()),
          messages: p.times(p.heavyTailed(12, 5_000, 0.9), () => ({ from: p.id(), at: p.date(), text: p.words(7) })),
        })),
      ),
  },
  {
    name: 'account-audit',
    source: 'business applications: an audit trail inside the audited document',
    why: 'Each change of an account appends an entry, for years: long accounts are long because they are old.',
    expected: {
      checks: ['unbounded-array', 'fast-growing-array'],
      collection: 'accounts',
      path: 'audit',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill(
        'accounts',
        p.times(1_200, () => {
          const age = p.random.between(1, 1_400) * DAY;
          const changes = Math.round((age / DAY) * (0.6 + p.random.next()));
          return {
            _id: p.id(age),
            holder: p.words(2),
            balance: p.random.between(0, 90_000),
            audit: p.times(changes, () => ({
              at: p.date(),
              by: p.word(),
              field: 'balance',
              to: p.random.below(90_000),
            })),
          };
        }),
      ),
  },
  {
    name: 'followers',
    source: 'MongoDB, "Building with Patterns: The Outlier Pattern", before the pattern is applied',
    why: 'Nearly all have some hundred followers, a handful has tens of thousands in one array, with nothing in between.',
    expected: {
      checks: ['outlier-document', 'long-reference-array', 'unbounded-array'],
      collection: 'profiles',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill(
        'profiles',
        p.times(1_000, (index) => ({
          _id: p.id(),
          handle: `user-${index}`,
          followers: p.times(index % 170 === 7 ? 30_000 + index : p.random.between(20, 300), () => p.id()),
        })),
      ),
  },
  {
    name: 'build-logs',
    source: 'continuous integration: the lines of a job appended to its document',
    why: 'A job holds all lines of its log. Most are short, some have tens of thousands of strings.',
    expected: { checks: ['unbounded-array', 'outlier-document'], collection: 'jobs', severity: 'warning' },
    plant: (p) =>
      p.fill(
        'jobs',
        p.times(600, (index) => ({
          _id: p.id(),
          branch: p.word(),
          state: p.random.choose(['passed', 'failed']),
          log: p.times(index % 90 === 3 ? p.random.between(9_000, 30_000) : p.heavyTailed(40, 4_000, 1.2), () =>
            p.words(5),
          ),
        })),
      ),
  },
  {
    name: 'host-messages',
    source: 'MongoDB, "6 Rules of Thumb for MongoDB Schema Design": one-to-squillions with the wrong side referring',
    why: 'A host lists the _ids of its log messages: squillions belong on the other side.',
    expected: {
      checks: ['long-reference-array', 'unbounded-array'],
      collection: 'hosts',
      path: 'messages',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill(
        'hosts',
        p.times(150, (index) => ({
          _id: p.id(),
          name: `host-${index}`,
          messages: p.times(p.random.between(2_000, 12_000), () => p.id()),
        })),
      ),
  },
  {
    name: 'page-revisions',
    source: 'MongoDB, "Building with Patterns: The Document Versioning Pattern": all revisions in the current document',
    why: 'Every edit appends the whole text. Pages that are edited often have megabytes, all loaded to show the newest text.',
    expected: {
      checks: ['unbounded-array', 'outlier-document', 'bloated-document'],
      collection: 'pages',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill(
        'pages',
        p.times(400, (index) => {
          const text = p.words(400);
          return {
            _id: p.id(),
            slug: `page-${index}`,
            text,
            revisions: p.times(p.heavyTailed(2, 900, 0.8), (revision) => ({ revision, at: p.date(), text })),
          };
        }),
      ),
  },
  {
    name: 'newsletter',
    source: 'small applications: one document per list, its subscribers inside',
    why: 'One document holds all 70,000 subscribers of the main list: 2 MB, rewritten with each of them, growing to 16 MB.',
    expected: {
      checks: ['unbounded-array', 'outlier-document', 'bloated-document'],
      collection: 'newsletters',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill('newsletters', [
        { _id: p.id(), name: 'main', subscribers: p.times(70_000, (index) => `${p.word()}.${index}@example.net`) },
        { _id: p.id(), name: 'press', subscribers: p.times(140, (index) => `${p.word()}.${index}@example.net`) },
        { _id: p.id(), name: 'beta', subscribers: p.times(32, (index) => `${p.word()}.${index}@example.net`) },
      ]),
  },
  {
    name: 'course-attendance',
    source: 'school administration: everything of a course in its document',
    why: 'Within each course and student attendance grows by an entry a lesson, and never ends: arrays within arrays multiply.',
    expected: {
      checks: ['unbounded-array', 'fast-growing-array', 'bloated-document'],
      collection: 'courses',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill(
        'courses',
        p.times(200, () => {
          const weeks = p.heavyTailed(8, 260, 0.7);
          return {
            _id: p.id(weeks * 7 * DAY),
            title: p.words(3),
            students: p.times(p.random.between(8, 30), () => ({
              student: p.id(),
              attendance: p.times(weeks * 3, (lesson) => ({ lesson, present: p.random.chance(0.9), minutes: 45 })),
            })),
          };
        }),
      ),
  },
  {
    name: 'delivery-tracks',
    source: 'logistics: positions of a vehicle appended to the vehicle',
    why: 'A vehicle holds its positions of every minute since it was bought: thousands of timestamped measurements.',
    expected: {
      checks: ['unbounded-array', 'fast-growing-array', 'bloated-document'],
      collection: 'vehicles',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill(
        'vehicles',
        p.times(120, (index) => {
          const minutes = p.random.between(500, 9_000);
          return {
            _id: p.id(minutes * MINUTE),
            plate: `AB-${index}`,
            track: p.times(minutes, (minute) => ({
              at: p.date((minutes - minute) * MINUTE),
              place: [p.random.next() * 10, 50 + p.random.next()],
            })),
          };
        }),
      ),
  },
];
