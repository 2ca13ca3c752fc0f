/** A page of what matches, with how many there are. */
export async function page(model, filter, { number = 1, size = 10, sort = { _id: 1 } } = {}) {
  const [rows, total] = await Promise.all([
    model
      .find(filter)
      .sort(sort)
      .skip((number - 1) * size)
      .limit(size)
      .lean(),
    model.countDocuments(filter),
  ]);
  return { rows, total };
}

export async function upserted(model, key, fields) {
  return model.findOneAndUpdate(key, { $set: fields }, { upsert: true, returnDocument: 'after' });
}
