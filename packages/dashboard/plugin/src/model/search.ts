import { fieldsAt, textAt } from './read.ts'

/** Returns whether a search matches an object: part of its name, namespace or uid, or of a label key or value, ignoring case. */
export const isFound = (object: unknown, search: string): boolean => {
  const metadata = (key: string): string => textAt(object, 'metadata', key) ?? ''
  const labels = Object.entries(fieldsAt(object, 'metadata', 'labels')).flatMap(([key, value]) => [key, String(value)])
  const wanted = search.toLowerCase()
  return [metadata('name'), metadata('namespace'), metadata('uid'), ...labels].some((each) =>
    each.toLowerCase().includes(wanted),
  )
}
