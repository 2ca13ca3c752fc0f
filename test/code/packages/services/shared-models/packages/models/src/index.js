export { Customer } from './customer.js';
export { Order, OPEN } from './order.js';
export * from './invoice.js';
export { default as AuditEntry } from './audit-entry.js';
