import type { KubeObject, ResourceKind } from '@kerf/apis'
import type { KubeClient, ListOptions } from '@kerf/runtime'

/** A watch of objects that runs until `stop` is called. */
export interface Followed {
  stop(): Promise<void>
}

/**
 * Calls `note` with each version of the selected objects, starting with the existing ones, and with the last version of a deleted
 * object. Use it instead of a poll, which can miss a short state on a busy machine.
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
    // The API server ends the watch of a slow client.
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
