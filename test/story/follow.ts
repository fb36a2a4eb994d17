import type { KubeObject, ResourceKind } from '@kerf/apis'
import type { KubeClient, ListOptions } from '@kerf/runtime'

/** Objects that are followed until `stop`. */
export interface Followed {
  stop(): Promise<void>
}

/**
 * Calls `note` with each version of the selected objects, those that are there first, and with the last version of one that is
 * deleted. A poll may come late on a busy machine, and miss what was true for a moment.
 */
export const follow = async <T extends KubeObject>(
  client: KubeClient,
  kind: ResourceKind<T>,
  selection: Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>,
  note: (object: T) => void,
): Promise<Followed> => {
  const list = async (): Promise<string> => {
    const { items, metadata } = await client.list(kind, selection)
    for (const object of items) note(object)
    return metadata.resourceVersion ?? ''
  }
  const end = new AbortController()
  const watch = async (since: string): Promise<void> => {
    const options = { ...selection, resourceVersion: since, signal: end.signal }
    for await (const event of client.watch(kind, options)) if (event.type !== 'BOOKMARK') note(event.object)
  }
  const first = await list()
  const watching = (async () => {
    await watch(first)
    // The API server ends the watch of who does not keep up with it.
    while (!end.signal.aborted) await watch(await list())
  })().catch((error: unknown) => {
    if (!end.signal.aborted) throw error
  })
  return {
    stop: async () => {
      end.abort()
      await watching
    },
  }
}
