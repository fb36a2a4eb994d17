import type { ObjectMeta } from '@kerf/apis'
import { START_TIME } from '../start-time.ts'

/** What a test may say about the metadata of any object; what it leaves out, or gives as undefined, is filled in. */
export interface MetadataOptions {
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly annotations?: Readonly<Record<string, string>> | undefined
  readonly deletionTimestamp?: string | undefined
  /** Any other field. It has the last word. */
  readonly metadata?: Readonly<Partial<ObjectMeta>> | undefined
}

/** Metadata as the API server returns it: `uid-NAME` as the uid, created at the start of 2026. */
export const metadataOf = (name: string, options: MetadataOptions): ObjectMeta => ({
  name,
  uid: `uid-${name}`,
  creationTimestamp: START_TIME,
  ...(options.labels === undefined ? {} : { labels: options.labels }),
  ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
  ...(options.deletionTimestamp === undefined ? {} : { deletionTimestamp: options.deletionTimestamp }),
  ...options.metadata,
})
