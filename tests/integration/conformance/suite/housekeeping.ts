import { type KubeObject, kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { type ConformanceTarget, configMap, eventually, ownNamespace, refusal, refused, uniqueName } from '../target.ts'
import { deployment } from './objects.ts'

const objectOwner = (object: KubeObject, over: object = {}) => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  name: object.metadata.name,
  uid: object.metadata.uid ?? '',
  ...over,
})

/** Defines tests of what a cluster does without requests from users: garbage collection, deletion of namespaces, and workloads. */
export const housekeeping = (target: ConformanceTarget): void => {
  describe('garbage collection', () => {
    const namespace = ownNamespace(target)
    const ref = (name: string) => ({ namespace, name })
    const gone = (name: string) =>
      eventually(target, async () =>
        expect(await refusal(target.client().get(kinds.ConfigMap, ref(name)))).toEqual(refused(404, 'NotFound')),
      )
    const family = async (parent: string, child: string, owner: object = {}) => {
      const made = await target.client().create(kinds.ConfigMap, configMap(namespace, parent))
      await target
        .client()
        .create(kinds.ConfigMap, configMap(namespace, child, {}, { ownerReferences: [objectOwner(made, owner)] }))
      return made
    }

    test('deletes dependents after their owner', async () => {
      await family('parent', 'child')
      await target.client().delete(kinds.ConfigMap, ref('parent'), { propagationPolicy: 'Background' })
      await gone('child')
    })

    test('keeps orphans if the deletion requests it', async () => {
      await family('left', 'orphan')
      await target.client().delete(kinds.ConfigMap, ref('left'), { propagationPolicy: 'Orphan' })
      await gone('left')
      const orphan = await eventually(target, async () => {
        const found = await target.client().get(kinds.ConfigMap, ref('orphan'))
        expect(found.metadata.ownerReferences).toBeUndefined()
        return found
      })
      expect(orphan.metadata.deletionTimestamp).toBeUndefined()
    })

    test('in the foreground keeps the owner until its dependents are deleted', async () => {
      await family('last', 'first', { blockOwnerDeletion: true })
      await target.client().patch(kinds.ConfigMap, ref('first'), {
        type: 'merge',
        body: { metadata: { finalizers: ['example.com/hold'] } },
      })
      await target.client().delete(kinds.ConfigMap, ref('last'), { propagationPolicy: 'Foreground' })
      const waiting = await target.client().get(kinds.ConfigMap, ref('last'))
      expect(waiting.metadata).toMatchObject({
        finalizers: ['foregroundDeletion'],
        deletionTimestamp: expect.any(String),
      })
      await eventually(target, async () =>
        expect((await target.client().get(kinds.ConfigMap, ref('first'))).metadata.deletionTimestamp).toBeTruthy(),
      )
      expect((await target.client().get(kinds.ConfigMap, ref('last'))).metadata.finalizers).toEqual([
        'foregroundDeletion',
      ])
      await target
        .client()
        .patch(kinds.ConfigMap, ref('first'), { type: 'merge', body: { metadata: { finalizers: null } } })
      await gone('first')
      await gone('last')
    })

    test('removes objects whose owner does not exist', async () => {
      const owner = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'never-was',
        uid: '00000000-0000-0000-0000-000000000005',
      }
      await target.client().create(kinds.ConfigMap, configMap(namespace, 'foundling', {}, { ownerReferences: [owner] }))
      await gone('foundling')
    })

    test('deletes an object with several owners after the last owner', async () => {
      const one = await target.client().create(kinds.ConfigMap, configMap(namespace, 'mother'))
      const two = await target.client().create(kinds.ConfigMap, configMap(namespace, 'father'))
      await target
        .client()
        .create(
          kinds.ConfigMap,
          configMap(namespace, 'kid', {}, { ownerReferences: [objectOwner(one), objectOwner(two)] }),
        )
      await target.client().delete(kinds.ConfigMap, ref('mother'))
      await eventually(target, async () => {
        const kid = await target.client().get(kinds.ConfigMap, ref('kid'))
        expect(kid.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['father'])
      })
      await target.client().delete(kinds.ConfigMap, ref('father'))
      await gone('kid')
    })
  })

  describe('namespaces', () => {
    test('delete all their objects, and refuse new ones while they terminate', async () => {
      const { client } = target
      const name = uniqueName('ending')
      await client().create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
      await client().create(kinds.ConfigMap, configMap(name, 'plain'))
      await client().create(kinds.ConfigMap, configMap(name, 'held', {}, { finalizers: ['example.com/hold'] }))
      await client().delete(kinds.Namespace, { name })
      const ending = await client().get(kinds.Namespace, { name })
      expect(ending).toMatchObject({
        metadata: { deletionTimestamp: expect.any(String) },
        status: { phase: 'Terminating' },
      })
      const answer = await refusal(client().create(kinds.ConfigMap, configMap(name, 'late')))
      expect(answer).toEqual(refused(403, 'Forbidden'))
      expect(answer.message).toContain('because it is being terminated')
      await eventually(target, async () =>
        expect(await refusal(client().get(kinds.ConfigMap, { namespace: name, name: 'plain' }))).toEqual(
          refused(404, 'NotFound'),
        ),
      )
      await eventually(target, async () =>
        expect(
          (await client().get(kinds.ConfigMap, { namespace: name, name: 'held' })).metadata.deletionTimestamp,
        ).toBeTruthy(),
      )
      await client().patch(
        kinds.ConfigMap,
        { namespace: name, name: 'held' },
        { type: 'merge', body: { metadata: { finalizers: null } } },
      )
      await eventually(target, async () =>
        expect(await refusal(client().get(kinds.Namespace, { name }))).toEqual(refused(404, 'NotFound')),
      )
    })
  })

  describe('workloads', () => {
    const namespace = ownNamespace(target)
    const pods = (app: string) => target.client().list(kinds.Pod, { namespace, labelSelector: `app=${app}` })

    test('a deployment makes a replica set, which makes pods', async () => {
      const { client } = target
      await client().create(kinds.Deployment, deployment(namespace, 'web', 3))
      const found = await eventually(target, async () => {
        const list = await pods('web')
        expect(list.items).toHaveLength(3)
        return list.items
      })
      const [set] = (await client().list(kinds.ReplicaSet, { namespace, labelSelector: 'app=web' })).items
      const hash = set?.metadata.labels?.['pod-template-hash'] ?? ''
      expect(set?.metadata.name).toBe(`web-${hash}`)
      expect(set?.metadata.ownerReferences).toMatchObject([
        { kind: 'Deployment', name: 'web', controller: true, blockOwnerDeletion: true },
      ])
      for (const each of found) {
        expect(each.metadata.name).toMatch(new RegExp(`^web-${hash}-[a-z0-9]{5}$`))
        expect(each.metadata.labels).toEqual({ app: 'web', 'pod-template-hash': hash })
        expect(each.metadata.ownerReferences).toMatchObject([
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `web-${hash}`, controller: true },
        ])
      }
    })

    test('a deployment scales down and up, and reports its status', async () => {
      const { client } = target
      await client().create(kinds.Deployment, deployment(namespace, 'sized', 2))
      const size = async (replicas: number) => {
        await client().patch(
          kinds.Deployment,
          { namespace, name: 'sized' },
          { type: 'merge', body: { spec: { replicas } } },
          { subresource: 'scale' },
        )
        await eventually(target, async () => {
          const { status, metadata } = await client().get(kinds.Deployment, { namespace, name: 'sized' })
          expect(status?.['observedGeneration']).toBe(metadata.generation)
          expect(status?.['replicas'] ?? 0).toBe(replicas)
          expect(
            (await pods('sized')).items.filter(
              ({ metadata: { deletionTimestamp } }) => deletionTimestamp === undefined,
            ),
          ).toHaveLength(replicas)
        })
      }
      await size(4)
      await size(1)
      await client().delete(kinds.Deployment, { namespace, name: 'sized' }, { propagationPolicy: 'Background' })
      await eventually(target, async () => expect((await pods('sized')).items).toEqual([]))
    })

    test('a deleted pod is replaced', async () => {
      const { client } = target
      await client().create(kinds.Deployment, deployment(namespace, 'again', 1))
      const first = await eventually(target, async () => {
        const [only] = (await pods('again')).items
        expect(only).toBeDefined()
        return only
      })
      await client().delete(kinds.Pod, { namespace, name: first?.metadata.name ?? '' })
      await eventually(target, async () => {
        const { items } = await pods('again')
        expect(items).toHaveLength(1)
        expect(items[0]?.metadata.uid).not.toBe(first?.metadata.uid)
      })
    })

    test('a new template replaces the pods', async () => {
      const { client } = target
      const base = deployment(namespace, 'rolled', 1)
      await client().create(kinds.Deployment, {
        ...base,
        spec: { ...base.spec, strategy: { type: 'Recreate' as const } },
      })
      await eventually(target, async () => expect((await pods('rolled')).items).toHaveLength(1))
      await client().patch(
        kinds.Deployment,
        { namespace, name: 'rolled' },
        { type: 'strategic', body: { spec: { template: { spec: { containers: [{ name: 'main', image: 'v2' }] } } } } },
      )
      await eventually(target, async () => {
        const { items } = await pods('rolled')
        expect(items.map(({ spec }) => spec.containers[0]?.image)).toEqual(['v2'])
      })
      expect((await client().list(kinds.ReplicaSet, { namespace, labelSelector: 'app=rolled' })).items).toHaveLength(2)
    })

    test('a stateful set reports the number of its pods', async () => {
      const { client } = target
      await client().create(kinds.StatefulSet, {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { namespace, name: 'db' },
        spec: { ...deployment(namespace, 'db', 2).spec, serviceName: 'db', podManagementPolicy: 'Parallel' },
      })
      await eventually(target, async () => {
        const { items } = await pods('db')
        expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(['db-0', 'db-1'])
        expect(items[0]?.metadata.labels).toMatchObject({
          'apps.kubernetes.io/pod-index': expect.stringMatching(/^[01]$/),
          'statefulset.kubernetes.io/pod-name': expect.stringMatching(/^db-[01]$/),
        })
      })
    })
  })
}
