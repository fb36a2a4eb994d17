import type { ObjectMeta } from '@kerf/apis'
import { START_TIME } from '../start-time.ts'

/** The metadata options of every builder. Fields that are absent or undefined get a default. */
export interface MetadataOptions {
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly annotations?: Readonly<Record<string, string>> | undefined
  readonly deletionTimestamp?: string | undefined
  /** Any other metadata field. Overrides the options above. */
  readonly metadata?: Readonly<Partial<ObjectMeta>> | undefined
}

/** Returns metadata as the API server would return it: the uid is `uid-NAME`, and the creation time is the start of 2026. */
export const objectMetadata = (name: string, options: MetadataOptions): ObjectMeta => ({
  name,
  uid: `uid-${name}`,
  creationTimestamp: START_TIME,
  ...(options.labels === undefined ? {} : { labels: options.labels }),
  ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
  ...(options.deletionTimestamp === undefined ? {} : { deletionTimestamp: options.deletionTimestamp }),
  ...options.metadata,
})
