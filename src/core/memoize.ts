/** Memoizes a function by its argument, for objects that are slow to create (an Intl object takes tens of microseconds). */
export function memoize<Key, Made extends object>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new Map<Key, Made>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}
