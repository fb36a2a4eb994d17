import { groupVersion, type KubeObject, kinds, type ResourceKind } from '@kerf/apis'
import { untilTrue } from '@kerf/control-plane/progress'
import { verdictLine } from '@kerf/provider-kit/testing'
import { ApiError, type KubeClient } from '@kerf/runtime'

const verdict = async (client: KubeClient, kind: ResourceKind<KubeObject>, spec: unknown): Promise<string> => {
  const name = 'verdict'
  const object = { apiVersion: groupVersion(kind), kind: kind.kind, metadata: { name }, spec }
  try {
    const stored: KubeObject & { readonly spec?: unknown } = await client.create(kind, object)
    await client.delete(kind, { name })
    return verdictLine({ accepted: true, spec: stored.spec })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 422) throw error
    return verdictLine({ accepted: false, fields: (error.details.causes ?? []).flatMap(({ field }) => field ?? []) })
  }
}

/** Waits until the kind is served or no longer served. */
const served = async (client: KubeClient, kind: ResourceKind<KubeObject>, isServed: boolean): Promise<void> => {
  const isSo = async (): Promise<boolean> => {
    const answers = await client.list(kind).then(
      () => true,
      () => false,
    )
    return answers === isServed
  }
  await untilTrue(isSo, { what: `${kind.kind} ${isServed ? '' : 'no longer '}to be served` })
}

/** Installs the definition, and sends an object with each spec to a real API server. Returns one line of `verdictLine` for each spec. */
export const verdictsUnder = async (
  client: KubeClient,
  kind: ResourceKind<KubeObject>,
  definition: KubeObject,
  specs: readonly unknown[],
): Promise<readonly string[]> => {
  await client.create(kinds.CustomResourceDefinition, definition as never)
  try {
    await served(client, kind, true)
    const lines: string[] = []
    for (const spec of specs) lines.push(await verdict(client, kind, spec))
    return lines
  } finally {
    await client.delete(kinds.CustomResourceDefinition, { name: definition.metadata.name })
    await served(client, kind, false)
  }
}
