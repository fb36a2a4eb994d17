import type { PrometheusMetrics } from '@kerf/runtime'
import { importProviderExports } from '../../support/provider-exports.ts'

/** The JSON output of a verb, over all runs that together show its keys. */
export interface JsonDocument {
  readonly title: string
  readonly printed: readonly unknown[]
  /** The paths whose keys are data. */
  readonly maps: readonly string[]
}

/** The part of the public surface that one provider adds: its export `surface` from `./testing/surface`. */
export interface ProviderSurface {
  /** The name of the provider. */
  readonly provider: string
  /** Matches the metrics that Kerf publishes with this provider, but not if Kerf runs inside a test. */
  readonly ofTheProcess: RegExp
  /** Runs each verb of the provider that prints JSON, with input that shows its keys. `folder` is for files. */
  documents(folder: string): Promise<readonly JsonDocument[]>
  /** Starts a Kerf with a fake of the cloud, and lets it launch a node. */
  start(): Promise<{ readonly metrics: PrometheusMetrics; close(): Promise<unknown> }>
}

export const surfaces: readonly ProviderSurface[] = (
  await importProviderExports<{ readonly surface: ProviderSurface }>('./testing/surface')
).map(({ surface }) => surface)
