import { fieldsAt, textAt } from './read.ts'

/**
 * Returns whether the search text occurs in the object's name, namespace or uid, or in the key or value of a label.
 * Ignores case.
 */
export const isFound = (object: unknown, search: string): boolean => {
  const metadata = (key: string): string => textAt(object, 'metadata', key) ?? ''
  const labels = Object.entries(fieldsAt(object, 'metadata', 'labels')).flatMap(([key, value]) => [key, String(value)])
  const wanted = search.toLowerCase()
  return [metadata('name'), metadata('namespace'), metadata('uid'), ...labels].some((each) =>
    each.toLowerCase().includes(wanted),
  )
}
