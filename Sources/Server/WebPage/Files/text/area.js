// Makes {en: {"area.key": …}, de: {…}} of {key: [English, German]}.
export const area = (name, entries) => {
  const pick = i => Object.fromEntries(Object.entries(entries).map(([key, pair]) => [`${name}.${key}`, pair[i]]))
  return {en: pick(0), de: pick(1)}
}
