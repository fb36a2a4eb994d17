import { fieldsAt, textAt } from './read.ts'

/** Whether a search finds an object: a part of its name, namespace, uid, or of a label or its value, in any case. */
export const isFound = (object: unknown, search: string): boolean => {
  const metadata = (key: string): string => textAt(object, 'metadata', key) ?? ''
  const labels = Object.entries(fieldsAt(object, 'metadata', 'labels')).flatMap(([key, value]) => [key, String(value)])
  const wanted = search.toLowerCase()
  return [metadata('name'), metadata('namespace'), metadata('uid'), ...labels].some((each) =>
    each.toLowerCase().includes(wanted),
  )
}
