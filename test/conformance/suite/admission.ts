import { type KubeObject, kinds, type Pod, type ResourceKind } from '@kerf/apis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConformanceTarget, node, ownNamespace, pod, refusal, refused, uniqueName } from '../target.ts'
import { deployment } from './objects.ts'

/** Defaults, validation and what admission adds or refuses. */
export const admission = (target: ConformanceTarget): void => {
  describe('defaults', () => {
    const namespace = ownNamespace(target)

    test('of a pod', async () => {
      const created = await target.client().create(kinds.Pod, {
        ...pod(namespace, 'bare'),
        spec: { containers: [{ name: 'main', image: 'nginx', ports: [{ containerPort: 80 }] }] },
      })
      expect(created).toMatchObject({
        metadata: { generation: 1 },
        spec: {
          restartPolicy: 'Always',
          dnsPolicy: 'ClusterFirst',
          schedulerName: 'default-scheduler',
          terminationGracePeriodSeconds: 30,
          enableServiceLinks: true,
          preemptionPolicy: 'PreemptLowerPriority',
          priority: 0,
          securityContext: {},
          tolerations: [
            { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
            { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
          ],
          containers: [
            {
              name: 'main',
              image: 'nginx',
              imagePullPolicy: 'Always',
              ports: [{ containerPort: 80, protocol: 'TCP' }],
              resources: {},
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
            },
          ],
        },
        status: { phase: 'Pending', qosClass: 'BestEffort' },
      })
    })

    test.each([
      ['nginx', 'Always'],
      ['nginx:latest', 'Always'],
      ['nginx:1.29', 'IfNotPresent'],
      ['example.invalid:5000/nginx', 'Always'],
    ])('pull policy of %s', async (image, imagePullPolicy) => {
      const created = await target
        .client()
        .create(kinds.Pod, pod(namespace, uniqueName('pull'), { containers: [{ name: 'main', image }] }))
      expect(created.spec.containers[0]).toMatchObject({ imagePullPolicy })
    })

    test.each([
      ['BestEffort', {}],
      ['Burstable', { requests: { cpu: '100m' } }],
      ['Burstable', { limits: { memory: '1Gi' } }],
      ['Guaranteed', { limits: { cpu: '1', memory: '1Gi' } }],
      ['Guaranteed', { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1000m', memory: '1024Mi' } }],
    ])('quality of service %s of %j', async (qosClass, resources) => {
      const created = await target
        .client()
        .create(kinds.Pod, pod(namespace, uniqueName('qos'), { containers: [{ name: 'main', image: 'a', resources }] }))
      expect(created.status).toMatchObject({ qosClass })
    })

    test('grace cannot be negative', async () => {
      const created = await target
        .client()
        .create(kinds.Pod, pod(namespace, 'hasty', { terminationGracePeriodSeconds: -1 }))
      expect(created.spec.terminationGracePeriodSeconds).toBe(1)
    })

    test('limits imply requests', async () => {
      const resources = { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '500m' } }
      const created = await target
        .client()
        .create(kinds.Pod, pod(namespace, 'implied', { containers: [{ name: 'main', image: 'a', resources }] }))
      expect(created.spec.containers[0]?.resources).toEqual({
        limits: { cpu: '2', memory: '1Gi' },
        requests: { cpu: '500m', memory: '1Gi' },
      })
    })

    test('quantities come back in canonical form', async () => {
      const resources = { requests: { cpu: '0.5', memory: '1024Mi', 'ephemeral-storage': '1e3' } }
      const created = await target
        .client()
        .create(kinds.Pod, pod(namespace, 'canonical', { containers: [{ name: 'main', image: 'a', resources }] }))
      expect(created.spec.containers[0]?.resources?.requests).toEqual({
        cpu: '500m',
        memory: '1Gi',
        'ephemeral-storage': '1e3',
      })
    })

    test('of a deployment', async () => {
      const created = await target.client().create(kinds.Deployment, deployment(namespace, 'defaulted'))
      expect(created.spec).toMatchObject({
        replicas: 0,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        template: { spec: { restartPolicy: 'Always', schedulerName: 'default-scheduler' } },
      })
      await target.client().delete(kinds.Deployment, { namespace, name: 'defaulted' })
    })

    test('of a namespace', async () => {
      const namespaceObject = await target.client().get(kinds.Namespace, { name: namespace })
      expect(namespaceObject.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': namespace })
      expect(namespaceObject).toMatchObject({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } })
    })

    test('of a node: it starts as not ready', async () => {
      const name = `${namespace}-fresh`
      const created = await target.client().create(kinds.Node, node(name))
      expect(created.spec.taints).toEqual([{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }])
      await target.client().delete(kinds.Node, { name })
    })

    test('spread constraints and tolerations', async () => {
      const created = await target.client().create(
        kinds.Pod,
        pod(namespace, 'spread', {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'topology.kubernetes.io/zone',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: {},
            },
          ],
          tolerations: [
            { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
            { key: 'a', value: 'b' },
          ],
        }),
      )
      expect(created.spec.tolerations).toEqual([
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
        { key: 'a', value: 'b' },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ])
    })

    test('a claim for storage is protected', async () => {
      const created = await target.client().create(kinds.PersistentVolumeClaim, {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { namespace, name: 'claim' },
        spec: { storageClassName: 'none', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      })
      expect(created.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection'])
      expect(created).toMatchObject({ spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } })
    })
  })

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
    ])('of pods refuses %s', async (_, spec, field) => {
      const fields = await refusedFields(kinds.Pod, pod(namespace, uniqueName('bad'), spec as Partial<Pod['spec']>))
      expect(fields.join(' ')).toContain(field)
    })

    test('a running pod’s spec is fixed but for a few fields', async () => {
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

    test('gates may be opened, not added', async () => {
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
    ])('of deployments refuses %s', async (_, spec, field) => {
      const base = deployment(namespace, uniqueName('bad'))
      expect(await refusedFields(kinds.Deployment, { ...base, spec: { ...base.spec, ...spec } })).toContain(field)
    })

    test('a deployment’s selector is fixed', async () => {
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
    ])('of disruption budgets refuses %s', async (_, spec, field) => {
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
    ])('of nodes refuses %s', async (_, spec, field) => {
      expect(await refusedFields(kinds.Node, node(uniqueName('bad'), spec))).toContain(field)
    })

    test('a node’s provider ID is set once', async () => {
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

  describe('priorities', () => {
    const namespace = ownNamespace(target)
    const high = uniqueName('high')
    beforeAll(async () => {
      await target.client().create(kinds.PriorityClass, {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: high },
        value: 1000,
        preemptionPolicy: 'Never',
      })
    })
    afterAll(() => target.client().delete(kinds.PriorityClass, { name: high }))

    test('come from the class', async () => {
      const created = await target.client().create(kinds.Pod, pod(namespace, 'high', { priorityClassName: high }))
      expect(created.spec).toMatchObject({ priority: 1000, preemptionPolicy: 'Never' })
    })

    test('need an existing class', async () => {
      const answer = await refusal(
        target.client().create(kinds.Pod, pod(namespace, 'lost', { priorityClassName: 'no-such-class' })),
      )
      expect(answer).toEqual(refused(403, 'Forbidden'))
      expect(answer.message).toContain('no PriorityClass with name no-such-class was found')
    })

    test('agree with the number given', async () => {
      const answer = await refusal(
        target.client().create(kinds.Pod, pod(namespace, 'liar', { priorityClassName: high, priority: 5 })),
      )
      expect(answer).toEqual(refused(403, 'Forbidden'))
    })

    test('know the system’s classes', async () => {
      const created = await target
        .client()
        .create(kinds.Pod, pod('kube-system', uniqueName('critical'), { priorityClassName: 'system-cluster-critical' }))
      expect(created.spec.priority).toBe(2_000_000_000)
      await target.client().delete(kinds.Pod, { namespace: 'kube-system', name: created.metadata.name ?? '' })
    })

    test('a class’s value is fixed', async () => {
      const answer = await refusal(
        target.client().patch(kinds.PriorityClass, { name: high }, { type: 'merge', body: { value: 2 } }),
      )
      expect(answer.code).toBe(422)
    })
  })

  describe('runtime classes', () => {
    const namespace = ownNamespace(target)
    const name = uniqueName('sandboxed')
    beforeAll(async () => {
      await target.client().create(kinds.RuntimeClass, {
        apiVersion: 'node.k8s.io/v1',
        kind: 'RuntimeClass',
        metadata: { name },
        handler: 'sandboxed',
        overhead: { podFixed: { cpu: '250m', memory: '120Mi' } },
      })
    })
    afterAll(() => target.client().delete(kinds.RuntimeClass, { name }))

    test('add their overhead', async () => {
      const created = await target.client().create(kinds.Pod, pod(namespace, 'sandboxed', { runtimeClassName: name }))
      expect(created.spec.overhead).toEqual({ cpu: '250m', memory: '120Mi' })
    })
  })
}
