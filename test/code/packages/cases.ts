import type { InstalledPackages } from '../../applications/installed-application.js';

/** A published package, driven by the program of its name. */
export interface PackageCase extends InstalledPackages {
  /** The folder of its source, below `node_modules`. */
  readonly source: string;
  /** Which of its files, if the package has its code twice. */
  readonly include?: readonly string[];
  /** Whether it is published as one file of more than 500 KB, which is left out. */
  readonly isBundle?: boolean;
}

export const PACKAGES: readonly PackageCase[] = [
  {
    name: 'agenda',
    packages: { '@agendajs/mongo-backend': '4.0.3', agenda: '6.2.6' },
    source: '@agendajs/mongo-backend/dist',
  },
  {
    name: 'auth-adapter',
    packages: { '@auth/mongodb-adapter': '3.11.3', mongodb: '6.22.0' },
    source: '@auth/mongodb-adapter',
  },
  {
    name: 'casbin-policy',
    packages: { 'casbin-mongodb-adapter': '1.3.0', casbin: '5.51.1', mongodb: '4.17.2' },
    source: 'casbin-mongodb-adapter/build/main',
  },
  {
    name: 'connect-mongo',
    packages: { 'connect-mongo': '6.0.0', mongodb: '7.9.0' },
    source: 'connect-mongo/dist',
    include: ['index.mjs'],
  },
  {
    name: 'feathers',
    packages: { '@feathersjs/mongodb': '5.0.50', mongodb: '6.22.0' },
    source: '@feathersjs/mongodb/lib',
  },
  {
    name: 'librechat',
    packages: {
      '@librechat/data-schemas': '0.0.71',
      mongoose: '8.24.10',
      'librechat-data-provider': '0.8.524',
      jsonwebtoken: '9.0.3',
      dotenv: '16.6.1',
      klona: '2.0.6',
      lodash: '4.17.23',
      meilisearch: '0.38.0',
      nanoid: '3.3.18',
      winston: '3.19.0',
      'winston-daily-rotate-file': '5.0.0',
    },
    source: '@librechat/data-schemas/dist',
    include: ['index.mjs'],
    isBundle: true,
  },
  { name: 'migrate-mongo', packages: { 'migrate-mongo': '14.0.7', mongodb: '6.22.0' }, source: 'migrate-mongo/lib' },
  {
    name: 'parse-server',
    packages: { 'parse-server': '9.10.0', parse: '8.6.0', express: '5.3.0' },
    source: 'parse-server/lib',
  },
  {
    name: 'payload',
    packages: { '@payloadcms/db-mongodb': '3.90.2', payload: '3.90.2' },
    source: '@payloadcms/db-mongodb/dist',
  },
];
