import { setOwnValue } from '../own-value.ts'
import { type FieldReporter, type Json, recordOrEmpty } from './field-reporter.ts'
import type { OldNames } from './old-names.ts'

/** Returns the name, the labels, and those annotations that users wrote. */
export const keptMetadata = (
  metadata: Json,
  name: string,
  reporter: FieldReporter,
  target: string,
  names: OldNames,
): Json => {
  if (metadata['name'] !== undefined) reporter.record('metadata.name', 'kept', target)
  if (metadata['namespace'] !== undefined)
    reporter.record('metadata.namespace', 'gone', undefined, 'the kind has no namespace')
  const labels = recordOrEmpty(metadata['labels'])
  if (Object.keys(labels).length > 0) reporter.record('metadata.labels', 'kept', target)
  const annotations: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(recordOrEmpty(metadata['annotations']))) {
    if (names.ownAnnotations.has(key)) {
      reporter.record(`metadata.annotations.${key}`, 'gone', undefined, 'written anew')
      continue
    }
    setOwnValue(annotations, key, value)
    reporter.record(`metadata.annotations.${key}`, 'kept', target)
  }
  return {
    name,
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  }
}
