import { kinds } from '@kerf/apis'
import type { WatchOptions } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import {
  type ConfigMap,
  type ConformanceTarget,
  configMap,
  eventually,
  farAway,
  ownNamespace,
  pod,
  type Recording,
  record,
} from '../target.ts'

/** Defines tests of watches: which events arrive, and in which order. */
export const watching = (target: ConformanceTarget): void => {
  describe('watches', () => {
    const namespace = ownNamespace(target)
    const other = ownNamespace(target)
    const make = (name: string, labels: Readonly<Record<string, string>> = {}) =>
      target.client().create(kinds.ConfigMap, configMap(namespace, name, {}, { labels }))
    const patch = (name: string, body: object) =>
      target.client().patch(kinds.ConfigMap, { namespace, name }, { type: 'merge', body })
    const now = async (): Promise<string> =>
      (await target.client().list(kinds.ConfigMap, { namespace, limit: 1 })).metadata.resourceVersion ?? ''
    const follow = (options: WatchOptions): Recording<ConfigMap> =>
      record((signal) =>
        target.client().watch(kinds.ConfigMap, {
          namespace,
          // The controllers of a real cluster create this ConfigMap in every new namespace.
          fieldSelector: 'metadata.name!=kube-root-ca.crt',
          ...options,
          signal,
        }),
      )
    const sees = (recording: Recording<ConfigMap>, lines: readonly string[]) =>
      eventually(target, async () => expect(recording.lines()).toEqual(lines))

    test('send all events after the start version, in order', async () => {
      const resourceVersion = await now()
      const recording = follow({ resourceVersion })
      await make('told')
      await patch('told', { data: { a: '1' } })
      await target.client().delete(kinds.ConfigMap, { namespace, name: 'told' })
      await sees(recording, ['ADDED told', 'MODIFIED told', 'DELETED told'])
      await recording.stop()
      const versions = recording.events.map((event) =>
        Number(event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion),
      )
      expect(versions).toEqual([...versions].sort((a, b) => a - b))
      expect(versions[0]).toBeGreaterThan(Number(resourceVersion))
      // No two events have the same version. So a bookmark is newer than the last change, and a watch that resumes from it misses no
      // change.
      expect(new Set(versions).size).toBe(versions.length)
    })

    test('resume at the version at which an earlier watch ended', async () => {
      const start = await now()
      await make('first')
      const between = await make('second')
      await make('third')
      const recording = follow({ resourceVersion: between.metadata.resourceVersion ?? '' })
      await sees(recording, ['ADDED third'])
      await recording.stop()
      const all = follow({ resourceVersion: start })
      await sees(all, ['ADDED first', 'ADDED second', 'ADDED third'])
      await all.stop()
    })

    test('start with the existing objects if no version is given', async () => {
      await make('there', { only: 'me' })
      const recording = follow({ labelSelector: 'only' })
      await sees(recording, ['ADDED there'])
      await patch('there', { data: { x: 'y' } })
      await sees(recording, ['ADDED there', 'MODIFIED there'])
      await recording.stop()
    })

    test('with a selector send ADDED and DELETED when objects start or stop matching', async () => {
      const recording = follow({ labelSelector: 'team=blue', resourceVersion: await now() })
      await make('fan', { team: 'red' })
      await patch('fan', { metadata: { labels: { team: 'blue' } } })
      await patch('fan', { data: { loud: 'yes' } })
      await patch('fan', { metadata: { labels: { team: 'red' } } })
      await patch('fan', { data: { loud: 'no' } })
      await patch('fan', { metadata: { labels: { team: 'blue' } } })
      await target.client().delete(kinds.ConfigMap, { namespace, name: 'fan' })
      await sees(recording, ['ADDED fan', 'MODIFIED fan', 'DELETED fan', 'ADDED fan', 'DELETED fan'])
      await recording.stop()
      const left = recording.events.find((event) => event.type === 'DELETED')
      // The event contains the last state that matched the selector, with the version at which the object stopped matching.
      expect(left).toMatchObject({ object: { metadata: { labels: { team: 'blue' } }, data: { loud: 'yes' } } })
    })

    test('support the same field selectors as lists', async () => {
      const { client } = target
      const here = farAway(namespace, 'mine')
      const recording = record((signal) =>
        client().watch(kinds.Pod, { namespace, fieldSelector: `spec.nodeName=${here}`, signal }),
      )
      await client().create(kinds.Pod, pod(namespace, 'elsewhere', { nodeName: farAway(namespace, 'elsewhere') }))
      await client().create(kinds.Pod, pod(namespace, 'mine', { nodeName: here }))
      await eventually(target, async () => expect(recording.lines()).toEqual(['ADDED mine']))
      await recording.stop()
    })

    test('cover one namespace, or all', async () => {
      const resourceVersion = await now()
      const here = follow({ resourceVersion, labelSelector: 'where' })
      const everywhere = record((signal) =>
        target.client().watch(kinds.ConfigMap, { resourceVersion, labelSelector: 'where', signal }),
      )
      await target.client().create(kinds.ConfigMap, configMap(other, 'there', {}, { labels: { where: 'x' } }))
      await make('here', { where: 'x' })
      await eventually(target, async () => expect(everywhere.lines()).toEqual(['ADDED there', 'ADDED here']))
      await sees(here, ['ADDED here'])
      await here.stop()
      await everywhere.stop()
    })

    test('end without an error after the requested timeout', async () => {
      const recording = follow({ resourceVersion: await now(), timeoutSeconds: 1 })
      await eventually(target, async () => expect(recording.end).toBeDefined())
      expect(recording.end).toEqual({ error: undefined })
    })

    test('end when the caller cancels them', async () => {
      const recording = follow({ resourceVersion: await now() })
      await make('still-there')
      await sees(recording, ['ADDED still-there'])
      await recording.stop()
      await make('unseen')
      await target.pause()
      expect(recording.lines()).toEqual(['ADDED still-there'])
    })

    test('send MODIFIED for changed finalizers before DELETED', async () => {
      const recording = follow({ resourceVersion: await now(), fieldSelector: 'metadata.name=slow' })
      await target.client().create(kinds.ConfigMap, configMap(namespace, 'slow', {}, { finalizers: ['example.com/a'] }))
      await target.client().delete(kinds.ConfigMap, { namespace, name: 'slow' })
      await patch('slow', { metadata: { finalizers: null } })
      await sees(recording, ['ADDED slow', 'MODIFIED slow', 'DELETED slow'])
      await recording.stop()
    })
  })
}
