import type { KubeClient } from '@kerf/runtime'

/** A cloud that is ready for the start-up bench. */
export interface OpenedStartBench {
  /** Environment variables of the controller. */
  readonly env: Readonly<Record<string, string>>
  /** The metric that the controller serves when it has finished starting. */
  readonly restsWith: string
  /** Creates the objects of a settled cluster: a NodePool and its node class. */
  prepare(client: KubeClient): Promise<void>
  close(): Promise<void>
}

/** The part of `npm run bench:start` that belongs to a cloud. A provider exports it as `startBench` under `./testing/start-bench`. */
export interface StartBench {
  /** The value of `KERF_PROVIDER`. */
  readonly provider: string
  /** Starts an emulator of the cloud. `server` is the URL of the API server. */
  open(server: string): Promise<OpenedStartBench>
}
