import { kinds } from '@kerf/apis'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { SandboxApi } from './sandbox-api.ts'

const seconds = (count: number): number => count * 1000

/** Returns the resourceVersions of the bookmarks that an idle watch receives during `duration`. */
const bookmarks = async (
  duration: number,
  timeoutSeconds?: number,
): Promise<{ readonly marks: readonly number[]; readonly written: number }> => {
  const clock = new VirtualClock()
  const client = new SandboxApi({ clock, random: new SeededRandom(1) }).client()
  const { metadata } = await client.list(kinds.ConfigMap)
  const controller = new AbortController()
  const marks: number[] = []
  const done = (async () => {
    const options = {
      labelSelector: 'nobody=here',
      resourceVersion: metadata.resourceVersion ?? '',
      signal: controller.signal,
    }
    for await (const event of client.watch(kinds.ConfigMap, {
      ...options,
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    })) {
      expect(event.type).toBe('BOOKMARK')
      if (event.type === 'BOOKMARK') marks.push(Number(event.resourceVersion))
    }
  })().catch((error: unknown) => {
    if (!controller.signal.aborted) throw error
  })
  const written = await client.create(kinds.ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name: 'a' },
  })
  await clock.advance(duration)
  controller.abort()
  await done
  return { marks, written: Number(written.metadata.resourceVersion) }
}

test('an idle watch gets a bookmark every minute', async () => {
  const { marks, written } = await bookmarks(seconds(150))
  expect(marks).toHaveLength(2)
  expect(marks[0]).toBeGreaterThanOrEqual(written)
})

test('a watch with a time limit gets a bookmark two seconds before its end', async () => {
  expect((await bookmarks(seconds(7), 10)).marks).toEqual([])
  const { marks, written } = await bookmarks(seconds(9), 10)
  expect(marks).toHaveLength(1)
  expect(marks[0]).toBeGreaterThanOrEqual(written)
})
