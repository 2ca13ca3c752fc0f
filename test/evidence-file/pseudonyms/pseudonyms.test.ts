import { describe, expect, it } from 'vitest';
import { Pseudonyms } from '../../../src/evidence-file/pseudonyms/pseudonyms.js';

const names = new Pseudonyms(Buffer.from('a secret of the user'));
const of = (name: string) => names.of(name);
const word = (name: string) => {
  const pseudonym = of(name);
  expect(pseudonym).toMatch(/^[a-z]{8}$/);
  return pseudonym;
};

describe('a pseudonym', () => {
  it('is the same by the same secret, and another by another', () => {
    expect(new Pseudonyms(Buffer.from('a secret of the user')).of('customer')).toBe(of('customer'));
    const other = new Pseudonyms(Buffer.from('another secret'));
    expect(other.of('customer')).not.toBe(of('customer'));
    expect(other.id).not.toBe(names.id);
  });

  it.each<[string, () => string]>([
    ['shop.orders', () => `${word('shop')}.${word('orders')}`],
    ['customer_id', () => `${word('customer')}_${word('id')}`],
    ['items[].sku', () => `${word('items')}[].${word('sku')}`],
    ['items.0.sku', () => `${word('items')}.0.${word('sku')}`],
    ['scores.*.wins', () => `${word('scores')}.*.${word('wins')}`],
    ['["a.b"].c', () => `["${word('a')}.${word('b')}"].${word('c')}`],
    ['customer_1_at_-1', () => `${word('customer')}_1_${word('at')}_-1`],
    ['$customer.name', () => `$${word('customer')}.${word('name')}`],
    ['$$ROOT.customer', () => `$$ROOT.${word('customer')}`],
    ['$$wanted.name', () => `$$${word('wanted')}.${word('name')}`],
    ['items.$[one].sku', () => `${word('items')}.$[${word('one')}].${word('sku')}`],
    ['items.$.sku', () => `${word('items')}.$.${word('sku')}`],
    ['a.$**', () => `${word('a')}.$**`],
    ['author.$id', () => `${word('author')}.$id`],
    ['shop.tmp_*', () => `${word('shop')}.${word('tmp')}_*`],
    ['Straße', () => word('Straße')],
    ['客户', () => word('客户')],
    ['', () => ''],
  ])('of %s keeps what separates words', (name, expected) => expect(of(name)).toBe(expected()));

  it.each(['_id', '_id_', '__v', '_class', '$**', '_fts', 'admin', 'files_id', '12', '*'])(
    'of %s is the name',
    (name) => expect(of(name)).toBe(name),
  );

  it('of a number has as many digits', () => {
    expect(of('orders_2024')).toMatch(/^[a-z]{8}_\d{4}$/);
    expect(of('orders_2024')).not.toContain('2024');
    expect(of('2024')).toMatch(/^\d{4}$/);
  });

  it('keeps what begins alike, ends alike and is equal', () => {
    const [one, other] = [of('tenant_17_orders'), of('tenant_23_orders')];
    expect(one).not.toBe(other);
    expect(one.replace(/_\d+_/, '_')).toBe(other.replace(/_\d+_/, '_'));
    expect(of('shop.orders').split('.')[1]).toBe(of('orders'));
  });
});
