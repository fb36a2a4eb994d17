import { importProviderExports } from '../../support/provider-exports.ts'

/** A cluster that uses Cluster Autoscaler, as the documents that a user would export from it. */
export interface SetUp {
  readonly name: string
  readonly documents: readonly unknown[]
}

/** Typical clusters of every provider that exports `./testing/migrations`. */
export const setUps: readonly SetUp[] = (
  await importProviderExports<{ readonly setUps: readonly SetUp[] }>('./testing/migrations')
).flatMap((each) => each.setUps)
