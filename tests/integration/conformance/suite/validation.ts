import { type KubeObject, kinds, type Pod, type ResourceKind } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { type ConformanceTarget, node, ownNamespace, pod, refusal, refused, uniqueName } from '../target.ts'
import { deployment } from './objects.ts'

/** Defines tests of what the API refuses in built-in kinds. */
export const validation = (target: ConformanceTarget): void => {
  describe('validation', () => {
    const namespace = ownNamespace(target)
    const refusedFields = async <T extends KubeObject>(
      kind: ResourceKind<T>,
      object: T,
    ): Promise<readonly string[]> => {
      const answer = await refusal(target.client().create(kind, object))
      expect(answer).toEqual(refused(422, 'Invalid'))
      return answer.fields
    }
    const container = (over: object) => ({ containers: [{ name: 'main', image: 'a', ...over }] })
    const spread = (over: object) => ({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: {}, ...over },
      ],
    })
    const required = (matchExpressions: readonly object[]) =>
      ({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
          },
        },
      }) as Partial<Pod['spec']>

    test('integers outside the range of their type are refused before other checks', async () => {
      const large = 3_000_000_000
      const create = (over: object, ofPod: object = {}) => {
        const { spec, ...object } = deployment(namespace, uniqueName('large'))
        const { template } = spec
        const made = { ...spec, ...over, template: { ...template, spec: { ...template.spec, ...ofPod } } }
        return target.client().create(kinds.Deployment, { ...object, spec: made })
      }
      const replicas = await refusal(create({ replicas: large }))
      expect(replicas).toEqual(refused(400, 'BadRequest'))
      expect(replicas.message).toContain('cannot unmarshal number 3000000000 into Go struct field ')
      expect(replicas.message).toContain('spec.replicas of type int32')
      expect(await refusal(create({ strategy: { rollingUpdate: { maxSurge: large } } }))).toEqual(
        refused(400, 'BadRequest'),
      )
      // The value is too large for a 32-bit integer, but valid as a 64-bit integer.
      await create({}, { terminationGracePeriodSeconds: large })
    })

    test.each<[string, object, string]>([
      ['no container', { containers: [] }, 'spec.containers'],
      [
        'two containers of one name',
        {
          containers: [
            { name: 'a', image: 'a' },
            { name: 'a', image: 'b' },
          ],
        },
        'spec.containers[1].name',
      ],
      ['a container without an image', { containers: [{ name: 'a' }] }, 'spec.containers[0].image'],
      ['a container with a bad name', { containers: [{ name: 'A_b', image: 'a' }] }, 'spec.containers[0].name'],
      [
        'a negative request',
        container({ resources: { requests: { cpu: '-1' } } }),
        'spec.containers[0].resources.requests[cpu]',
      ],
      [
        'a request above the limit',
        container({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
        'spec.containers[0].resources.requests',
      ],
      [
        'a port out of range',
        container({ ports: [{ containerPort: 70000 }] }),
        'spec.containers[0].ports[0].containerPort',
      ],
      ['an unknown restart policy', { restartPolicy: 'Sometimes' }, 'spec.restartPolicy'],
      [
        'a toleration that needs a value and has none for Exists',
        { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] },
        'spec.tolerations[0].operator',
      ],
      [
        'an unknown taint effect',
        { tolerations: [{ key: 'a', operator: 'Exists', effect: 'Maybe' }] },
        'spec.tolerations[0].effect',
      ],
      ['a spread with no skew', spread({ maxSkew: 0 }), 'spec.topologySpreadConstraints[0].maxSkew'],
      ['a spread without a key', spread({ topologyKey: '' }), 'spec.topologySpreadConstraints[0].topologyKey'],
      [
        'minDomains on a soft spread',
        spread({ whenUnsatisfiable: 'ScheduleAnyway', minDomains: 2 }),
        'spec.topologySpreadConstraints[0].minDomains',
      ],
      [
        'the same spread twice',
        {
          topologySpreadConstraints: [...spread({}).topologySpreadConstraints, ...spread({}).topologySpreadConstraints],
        },
        'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}',
      ],
      [
        'In without values',
        required([{ key: 'a', operator: 'In' }]),
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values',
      ],
      [
        'Exists with values',
        required([{ key: 'a', operator: 'Exists', values: ['b'] }]),
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values',
      ],
      [
        'Gt with two values',
        required([{ key: 'a', operator: 'Gt', values: ['1', '2'] }]),
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values',
      ],
      [
        'an operator that nodes do not know',
        required([{ key: 'a', operator: 'Near', values: ['b'] }]),
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator',
      ],
      [
        'a pod affinity without a topology key',
        {
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {}, topologyKey: '' }],
            },
          },
        },
        'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey',
      ],
      [
        'a preference without weight',
        {
          affinity: {
            nodeAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 0, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
              ],
            },
          },
        },
        'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight',
      ],
      [
        'a volume mounted that is not there',
        container({ volumeMounts: [{ name: 'none', mountPath: '/x' }] }),
        'spec.containers[0].volumeMounts[0].name',
      ],
      ['two gates of one name', { schedulingGates: [{ name: 'a' }, { name: 'a' }] }, 'spec.schedulingGates[1]'],
    ])('refuses pods with %s', async (_, spec, field) => {
      const fields = await refusedFields(kinds.Pod, pod(namespace, uniqueName('bad'), spec as Partial<Pod['spec']>))
      expect(fields.join(' ')).toContain(field)
    })

    test('refuses pods with an ephemeral volume whose claim name would be too long', async () => {
      const claim = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }
      const volumes = [{ name: 'data', ephemeral: { volumeClaimTemplate: claim } }]
      const named = (length: number) => pod(namespace, 'n'.repeat(length), { volumes } as Partial<Pod['spec']>)
      expect(await refusedFields(kinds.Pod, named(249))).toEqual(['spec.volumes[0].name'])
      await target.client().create(kinds.Pod, named(248), { dryRun: true })
    })

    test('the keys of a ConfigMap must be valid file names', async () => {
      const keys = ['...', '..', '.', '..data', 'a/b', 'ü', 'n'.repeat(254)]
      const configMap = (named: readonly string[]) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: uniqueName('keys'), namespace },
        data: Object.fromEntries(named.map((key) => [key, ''])),
      })
      const fields = await refusedFields(kinds.ConfigMap, configMap([...keys, '.-_', '.hidden']))
      expect(fields.toSorted()).toEqual(keys.map((key) => `data[${key}]`).toSorted())
    })

    test('the spec of a bound pod is immutable except for a few fields', async () => {
      const { client } = target
      await client().create(kinds.Pod, pod(namespace, 'fixed'))
      const change = (spec: object) =>
        client().patch(kinds.Pod, { namespace, name: 'fixed' }, { type: 'strategic', body: { spec } })
      const answer = await refusal(change({ restartPolicy: 'Never' }))
      expect(answer).toEqual(refused(422, 'Invalid'))
      expect(answer.message).toContain('pod updates may not change fields other than')
      expect((await change({ containers: [{ name: 'main', image: 'other' }] })).spec.containers[0]?.image).toBe('other')
      const tolerant = await change({ tolerations: [{ key: 'x', operator: 'Exists' }] })
      expect(tolerant.spec.tolerations?.map(({ key }) => key)).toEqual(
        expect.arrayContaining(['x', 'node.kubernetes.io/not-ready']),
      )
    })

    test('scheduling gates may be removed but not added', async () => {
      const { client } = target
      await client().create(
        kinds.Pod,
        pod(namespace, 'gates', { schedulingGates: [{ name: 'a.example/x' }, { name: 'b.example/x' }] }),
      )
      const set = (schedulingGates: readonly { name: string }[]) =>
        client().patch(kinds.Pod, { namespace, name: 'gates' }, { type: 'merge', body: { spec: { schedulingGates } } })
      expect(await refusal(set([{ name: 'c.example/x' }]))).toEqual(refused(422, 'Invalid'))
      expect((await set([])).spec.schedulingGates).toBeUndefined()
    })

    test.each<[string, object, string]>([
      [
        'a selector that misses its template',
        { selector: { matchLabels: { app: 'other' } } },
        'spec.template.metadata.labels',
      ],
      ['no selector', { selector: {} }, 'spec.selector'],
      ['negative replicas', { replicas: -1 }, 'spec.replicas'],
      [
        'a template that runs once',
        {
          template: { metadata: { labels: { app: 'x' } }, spec: { ...pod('', '').spec, restartPolicy: 'Never' } },
          selector: { matchLabels: { app: 'x' } },
        },
        'spec.template.spec.restartPolicy',
      ],
    ])('refuses deployments with %s', async (_, spec, field) => {
      const base = deployment(namespace, uniqueName('bad'))
      expect(await refusedFields(kinds.Deployment, { ...base, spec: { ...base.spec, ...spec } })).toContain(field)
    })

    test('a deployment’s selector is immutable', async () => {
      const { client } = target
      await client().create(kinds.Deployment, deployment(namespace, 'selected'))
      const body = {
        spec: {
          selector: { matchLabels: { app: 'selected', more: 'x' } },
          template: { metadata: { labels: { more: 'x' } } },
        },
      }
      const answer = await refusal(
        client().patch(kinds.Deployment, { namespace, name: 'selected' }, { type: 'merge', body }),
      )
      expect(answer).toEqual(refused(422, 'Invalid'))
      expect(answer.message).toContain('field is immutable')
      await client().delete(kinds.Deployment, { namespace, name: 'selected' })
    })

    test.each<[string, object, string]>([
      ['both bounds', { minAvailable: 1, maxUnavailable: 1 }, 'spec'],
      ['negative bounds', { minAvailable: -1 }, 'spec.minAvailable'],
      ['percentages above a hundred', { maxUnavailable: '101%' }, 'spec.maxUnavailable'],
    ])('refuses disruption budgets with %s', async (_, spec, field) => {
      const object = {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { namespace, name: uniqueName('bad') },
        spec: { selector: {}, ...spec },
      }
      expect(await refusedFields(kinds.PodDisruptionBudget, object)).toContain(field)
    })

    test.each<[string, object, string]>([
      ['a taint without an effect', { taints: [{ key: 'a', effect: '' }] }, 'metadata.taints[0].effect'],
      [
        'the same taint twice',
        {
          taints: [
            { key: 'a', effect: 'NoSchedule' },
            { key: 'a', effect: 'NoSchedule', value: 'b' },
          ],
        },
        'metadata.taints[1]',
      ],
    ])('refuses nodes with %s', async (_, spec, field) => {
      expect(await refusedFields(kinds.Node, node(uniqueName('bad'), spec))).toContain(field)
    })

    test('a node’s provider ID can be set only once', async () => {
      const { client } = target
      const name = uniqueName('provided')
      await client().create(kinds.Node, node(name))
      const set = (providerID: string) =>
        client().patch(kinds.Node, { name }, { type: 'merge', body: { spec: { providerID } } })
      expect((await set('kwok://a')).spec.providerID).toBe('kwok://a')
      expect(await refusal(set('kwok://b'))).toEqual(refused(422, 'Invalid'))
      await client().delete(kinds.Node, { name })
    })
  })
}
