import { MongoClient, ObjectId } from 'mongodb';
import { below, between, choose, heavyTailed, idAt, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const of = (name) => database.collection(name);
const [submissions, forms, actions, roles, tokens] = ['submissions', 'forms', 'actions', 'roles', 'tokens'].map(of);

// The indexes of its installation and of its schemas.
const index = (collection, ...keys) => collection.createIndexes(keys.map((key) => ({ key })));
const machine = async (collection) => {
  await collection.createIndex(
    { machineName: 1 },
    { unique: true, partialFilterExpression: { deleted: { $eq: null } } },
  );
  await index(collection, { machineName: 1, deleted: 1 });
};
await index(
  submissions,
  { form: 1 },
  { 'access.id': 1 },
  { access: 1 },
  { owner: 1 },
  { roles: 1 },
  { deleted: 1 },
  { form: 1, deleted: 1 },
  { form: 1, deleted: 1, created: -1 },
  { created: 1 },
  { modified: 1 },
  { 'externalIds.created': 1 },
  { 'externalIds.modified': 1 },
);
await index(
  forms,
  { name: 1 },
  { path: 1 },
  { type: 1 },
  { owner: 1 },
  { type: 1, deleted: 1, modified: -1 },
  { name: 1, deleted: 1 },
  { deleted: 1 },
);
await machine(forms);
await index(actions, { form: 1 }, { priority: 1, title: 1 }, { title: 1 }, { priority: 1 }, { deleted: 1 });
await machine(actions);
await machine(roles);
await index(tokens, { key: 1 });
await tokens.createIndex({ expireAt: 1 }, { expireAfterSeconds: 0 });

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => now - below(days * DAY);
const at = (time) => new ObjectId(idAt(time));
const dated = (time) => ({ created: new Date(time), modified: new Date(time) });
const notDeleted = { deleted: { $eq: null } };
const deletedOne = (number) => ({ deleted: number % 25 === 0 ? ago(300) : null });

const allRoles = await insertEach(roles, 4, (number) => {
  const title = ['Administrator', 'Authenticated', 'Anonymous', 'Reviewer'][number];
  return { _id: at(ago(900)), title, machineName: title.toLowerCase(), admin: number === 0, deleted: null };
});
const component = () => ({
  type: 'textfield',
  key: word(),
  label: words(2),
  input: true,
  tableView: true,
  validate: { required: true },
});
const names = ['user', 'admin', 'customer', 'application', 'ticket', 'contact'];
const allForms = await insertEach(forms, 70, (number) => {
  const name = names[number] ?? `${word()}${number}`;
  const time = ago(900);
  return {
    _id: at(time),
    title: words(2),
    name,
    path: name,
    machineName: name,
    type: number < 3 ? 'resource' : 'form',
    display: 'form',
    owner: null,
    tags: [],
    access: [{ type: 'read_all', roles: allRoles.map(({ _id }) => _id) }],
    submissionAccess: [{ type: 'create_all', roles: allRoles.map(({ _id }) => _id) }],
    components: Array.from({ length: between(6, 30) }, component),
    deleted: null,
    ...dated(time),
  };
});
const [user, admin, customer, application, ticket, contact] = allForms.map(({ _id }) => _id);
await insertEach(actions, 180, (number) => ({
  _id: at(ago(900)),
  title: choose(['Save Submission', 'Email', 'Login']),
  name: choose(['save', 'email', 'login']),
  machineName: `action${number}`,
  form: allForms[number % 70]._id,
  handler: ['before'],
  method: ['create', 'update'],
  priority: below(20),
  settings: {},
  deleted: null,
}));
const submission = (form, time, data, rest = {}) => ({
  _id: at(time),
  form,
  owner: null,
  deleted: null,
  roles: [],
  access: [],
  externalIds: [],
  metadata: { timezone: 'Europe/Berlin', browserName: 'Netscape', userAgent: words(9), pathName: `/${word()}` },
  data,
  ...dated(time),
  ...rest,
});
const person = (number) => ({
  email: `${word()}.${number}@example.com`,
  firstName: word(),
  lastName: word(),
  phone: `+49 ${below(900_000_000)}`,
  submit: true,
});
const people = await insertEach(submissions, 8_000, (number) =>
  submission(
    user,
    ago(900),
    { ...person(number), password: token(60) },
    { roles: [allRoles[1]._id], ...deletedOne(number) },
  ),
);
await insertEach(submissions, 12, (number) =>
  submission(
    admin,
    ago(900),
    { email: `admin${number}@example.com`, password: token(60) },
    { roles: [allRoles[0]._id] },
  ),
);
const customers = await insertEach(submissions, 6_000, (number) =>
  submission(customer, ago(900), { ...person(number), company: words(2), address: words(6) }, deletedOne(number)),
);
const ownerOf = () => people[heavyTailed(6, people.length, 0.7) - 1]._id;
const applicationOf = (number, time) =>
  submission(
    application,
    time,
    {
      ...person(number),
      customer: { _id: choose(customers)._id },
      amount: below(90_000),
      reason: words(between(20, 120)),
      status: choose(['open', 'approved', 'rejected']),
      lines: Array.from({ length: between(0, 6) }, () => ({ item: word(), price: below(900) })),
    },
    { owner: ownerOf(), ...deletedOne(number) },
  );
const APPLICATIONS = 12_000;
await insertEach(submissions, APPLICATIONS, (number) =>
  applicationOf(number, now - (APPLICATIONS - number) * 3_000_000),
);
await insertEach(submissions, 6_000, (number) =>
  submission(
    ticket,
    ago(700),
    { subject: words(5), text: words(60), priority: choose(['low', 'high']) },
    {
      owner: ownerOf(),
      access: [{ type: 'write', resources: [ownerOf(), ...(number % 8 === 0 ? [ownerOf()] : [])] }],
      ...deletedOne(number),
    },
  ),
);
const contactOf = (number, time) =>
  submission(contact, time, { ...person(number), message: words(between(20, 90)) }, deletedOne(number));
await insertEach(submissions, 22_000, (number) => contactOf(number, now - (22_000 - number) * 2_000_000));
await insertEach(submissions, 6_000, (number) =>
  submission(
    allForms[6 + heavyTailed(1, 63, 0.8)]._id,
    ago(800),
    { text: words(30), rating: below(6), [word()]: word() },
    deletedOne(number),
  ),
);
await insertEach(tokens, 500, () => ({ key: token(30), value: token(60), expireAt: new Date(now + below(DAY)) }));

// An hour. A form is loaded by its path, with its actions; some log in first.
const load = async (path) => {
  const form = await forms.findOne({ path, ...notDeleted });
  await actions
    .find({ form: form._id, ...notDeleted })
    .sort({ priority: -1 })
    .toArray();
};
const insensitive = { collation: { locale: 'en', strength: 2 } };
const login = async () => {
  const { data } = people[heavyTailed(6, people.length, 0.7) - 1];
  const found = await submissions.findOne(
    { deleted: { $eq: null }, form: { $in: [user, admin] }, 'data.email': data.email.toUpperCase() },
    insensitive,
  );
  const _id = found?._id ?? people[0]._id;
  await submissions.findOne({ _id, form: user, ...notDeleted });
  return _id;
};
const page = async (filter, { sort = { created: -1 }, skip = 0 } = {}) => {
  await submissions.countDocuments(filter);
  return submissions.find(filter).limit(10).skip(skip).sort(sort).toArray();
};
const inForm = (form, filter = {}) => ({ form, ...filter, deleted: { $eq: null } });
for (let visit = 0; visit < 200; visit += 1) {
  await load(choose(['contact', 'contact', 'application', choose(allForms).path]));
  if (visit % 4 === 0) await tokens.findOne({ key: token(30) });
  if (visit % 2 > 0) continue;
  // A telephone is to be unique in the form.
  const one = contactOf(visit, Date.now());
  const $regex = new RegExp(`^${one.data.phone.replaceAll('+', String.raw`\+`)}$`);
  await submissions.findOne({ form: contact, 'data.phone': { $regex, $options: 'i' }, deleted: { $eq: null } });
  await submissions.insertOne(one);
}
const joined = [
  { $lookup: { from: 'submissions', localField: 'data.customer._id', foreignField: '_id', as: 'data.customer' } },
  { $unwind: { path: '$data.customer', preserveNullAndEmptyArrays: true } },
];
for (let visit = 0; visit < 60; visit += 1) {
  const owner = await login();
  // Somebody's own; what they have access to.
  await page(inForm(application, { owner }));
  const resources = { $in: [...allRoles.slice(1, 3).map(({ _id }) => _id), owner] };
  const access = { $elemMatch: { type: { $in: ['read', 'write', 'admin'] }, resources } };
  await page(inForm(ticket, { $or: [{ access }, { owner }] }));
  if (visit % 3 > 0) continue;
  const one = applicationOf(visit, Date.now());
  await submissions.insertOne(one);
  await submissions.findOneAndUpdate({ _id: one._id }, { $set: { 'data.status': 'approved', modified: new Date() } });
}
for (let visit = 0; visit < 90; visit += 1) {
  // Those who work with what was sent: newest first, far pages, by a field, a part of a name.
  if (visit % 3 === 0) await page(inForm(contact), { skip: visit % 2 === 0 ? 0 : below(2_000) * 10 });
  if (visit % 3 === 1) await page(inForm(contact), { sort: { 'data.lastName': 1 } });
  if (visit % 3 === 2) await page(inForm(contact, { 'data.lastName': new RegExp(word(), 'i') }));
  if (visit % 5 > 0) continue;
  await submissions.countDocuments(inForm(application));
  await submissions
    .aggregate([{ $match: inForm(application) }, ...joined, { $sort: { created: -1 } }, { $skip: 0 }, { $limit: 10 }])
    .toArray();
  await forms
    .find({ type: 'form', ...notDeleted })
    .sort({ modified: -1 })
    .limit(100)
    .toArray();
}
for (let export2 = 0; export2 < 2; export2 += 1) await submissions.find(inForm(ticket)).toArray();
await client.close();
