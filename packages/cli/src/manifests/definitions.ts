import { type KubeObject, kinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
import { CliError } from '@kerf/provider-kit/command-line'
import { asList, looseAt } from '@kerf/provider-kit/documents'
import { type Clock, type KubeClient, sleep } from '@kerf/runtime'
import type { KindDirectory } from './kind-directory.ts'

/** How long to wait until the API server serves the kinds of a stored CRD, in milliseconds. */
const SERVED_WITHIN: Milliseconds = 30_000
const ASK_EVERY: Milliseconds = 100

/** Returns whether the object is a CRD (custom resource definition). */
export const isDefinition = ({ apiVersion, kind }: KubeObject): boolean =>
  kind === kinds.CustomResourceDefinition.kind && apiVersion.startsWith(`${kinds.CustomResourceDefinition.group}/`)

/** Returns the kinds that a CRD defines, one for each version that is served. */
export const definedKinds = (definition: KubeObject): readonly ResourceKind[] => {
  const text = (...path: readonly string[]): string => String(looseAt(definition, 'spec', ...path) ?? '')
  return asList(looseAt(definition, 'spec', 'versions'))
    .filter((version) => looseAt(version, 'served') === true)
    .map((version) => ({
      group: text('group'),
      version: String(looseAt(version, 'name')),
      kind: text('names', 'kind'),
      plural: text('names', 'plural'),
      namespaced: text('scope') === 'Namespaced',
    }))
}

/**
 * Returns a kind of the CRD that is not served yet. Returns undefined if all kinds are served.
 * @throws Error if the API server has refused the names of the CRD
 */
const obstacle = async (
  client: KubeClient,
  directory: KindDirectory,
  definition: KubeObject,
): Promise<string | undefined> => {
  const { name } = definition.metadata
  const stored = await client.get(kinds.CustomResourceDefinition, { name })
  for (const condition of asList(looseAt(stored, 'status', 'conditions')))
    if (looseAt(condition, 'type') === 'NamesAccepted' && looseAt(condition, 'status') === 'False')
      throw new CliError(`the API server does not serve ${name}: ${String(looseAt(condition, 'message'))}`)
  for (const { group, version, kind } of definedKinds(definition))
    if ((await directory.find(`${group}/${version}`, kind)) === undefined) return `${kind} in ${group}/${version}`
  return undefined
}

/**
 * Waits until the API server serves every kind of a stored CRD. It does not serve them immediately.
 *
 * @throws Error if another CRD already has the names, or after 30 seconds
 */
export const waitUntilServed = async (
  client: KubeClient,
  directory: KindDirectory,
  definition: KubeObject,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> => {
  const end = clock.monotonic() + SERVED_WITHIN
  for (;;) {
    const missing = await obstacle(client, directory, definition)
    if (missing === undefined) return
    if (clock.monotonic() >= end)
      throw new CliError(
        `the API server still does not serve ${missing} ${SERVED_WITHIN / 1000} s after the CRD was created`,
      )
    await sleep(clock, ASK_EVERY, signal)
  }
}
