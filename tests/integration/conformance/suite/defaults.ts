import { kinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { type ConformanceTarget, node, ownNamespace, pod, uniqueName } from '../target.ts'
import { deployment } from './objects.ts'

/** Defines tests of the defaults that the API adds. */
export const defaults = (target: ConformanceTarget): void => {
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

    test('the grace period cannot be negative', async () => {
      const created = await target
        .client()
        .create(kinds.Pod, pod(namespace, 'hasty', { terminationGracePeriodSeconds: -1 }))
      expect(created.spec.terminationGracePeriodSeconds).toBe(1)
    })

    test('limits become the default requests', async () => {
      const resources = { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '500m' } }
      const created = await target
        .client()
        .create(kinds.Pod, pod(namespace, 'implied', { containers: [{ name: 'main', image: 'a', resources }] }))
      expect(created.spec.containers[0]?.resources).toEqual({
        limits: { cpu: '2', memory: '1Gi' },
        requests: { cpu: '500m', memory: '1Gi' },
      })
    })

    test('quantities are returned in canonical form', async () => {
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

    test('a PersistentVolumeClaim gets the finalizer that protects it', async () => {
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
}
