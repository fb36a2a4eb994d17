import { pod } from '@kerf/testing'
import { annotate, type Broken, DO_NOT_DISRUPT, findPods, get, type Loose, SAFE_TO_EVICT } from './broken.ts'

const pendingPod = (spec: Loose = {}): Loose => ({
  ...pod('alone', {
    namespace: 'shop',
    annotations: { [SAFE_TO_EVICT]: 'true' },
    requests: { cpu: '1', memory: '1Gi' },
    spec,
  }),
})

/** Faults of workloads. */
export const workloadFaults: Readonly<Record<string, Broken>> = {
  'a PodDisruptionBudget that never allows an eviction': {
    id: 'WL-001',
    breaks: (objects) => {
      const budget = get(objects, 'PodDisruptionBudget', 'reports')
      budget['spec'] = { ...budget['spec'], maxUnavailable: 0 }
      budget['status'].disruptionsAllowed = 0
    },
    objects: ['PodDisruptionBudget shop/reports'],
  },
  'two PodDisruptionBudgets over one pod': {
    id: 'WL-001',
    breaks: (objects) => {
      const budget = get(objects, 'PodDisruptionBudget', 'web')
      objects.push({ ...budget, metadata: { name: 'web-too', namespace: 'shop' } })
    },
    objects: ['PodDisruptionBudget shop/web', 'PodDisruptionBudget shop/web-too'],
  },
  'one replica': {
    id: 'WL-002',
    breaks: (objects) => {
      get(objects, 'Deployment', 'reports')['spec'].replicas = 1
    },
    objects: ['Deployment shop/reports'],
  },
  'no requests': {
    id: 'WL-003',
    breaks: (objects) => {
      for (const pod of findPods(objects, 'reports')) delete pod['spec'].containers[0].resources
    },
    objects: ['Deployment shop/reports'],
  },
  'a pending pod that nothing can run': {
    id: 'WL-004',
    besides: ['WL-006'],
    breaks: (objects) => {
      objects.push(pendingPod({ nodeSelector: { 'example.com/nowhere': 'yes' } }))
    },
    objects: ['Pod shop/alone'],
  },
  'a pod that takes longer than its NodePool gives': {
    id: 'WL-005',
    breaks: (objects) => {
      for (const pod of findPods(objects, 'web')) pod['spec'].terminationGracePeriodSeconds = 7_200
    },
    objects: ['Pod shop/web-7d9-0', 'Pod shop/web-7d9-1', 'Pod shop/web-7d9-2'],
  },
  'a selector of a node group that is gone': {
    id: 'WL-006',
    breaks: (objects) => {
      for (const pod of findPods(objects, 'reports'))
        pod['spec'].nodeSelector = { 'alpha.eksctl.io/nodegroup-name': 'gone' }
    },
    objects: ['Deployment shop/reports'],
  },
  'a selector of a label that nothing offers': {
    id: 'WL-006',
    breaks: (objects) => {
      for (const pod of findPods(objects, 'reports')) pod['spec'].nodeSelector = { disk: 'nvme' }
    },
    objects: ['Deployment shop/reports'],
  },
  'a volume in a zone of nobody': {
    id: 'WL-007',
    breaks: (objects) => {
      const [term] = get(objects, 'PersistentVolume', 'data')['spec'].nodeAffinity.required.nodeSelectorTerms
      term.matchExpressions[0].values = ['elsewhere']
      // Only one of the pods has the volume, as in a StatefulSet.
      for (const each of findPods(objects, 'web').slice(-1))
        each['spec'].volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
    },
    objects: ['Deployment shop/web'],
  },
  'many pods that prefer a node each': {
    id: 'WL-008',
    breaks: (objects) => {
      get(objects, 'Deployment', 'web')['spec'].replicas = 12
      for (const pod of findPods(objects, 'web'))
        pod['spec'].topologySpreadConstraints = [
          { topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 1 },
        ]
    },
    objects: ['Deployment shop/web'],
  },
  'a DaemonSet without a priority class': {
    id: 'WL-009',
    breaks: (objects) => {
      delete get(objects, 'DaemonSet', 'aws-node')['spec'].template.spec.priorityClassName
    },
    objects: ['DaemonSet kube-system/aws-node'],
  },
  'a resource that nothing has': {
    id: 'WL-010',
    breaks: (objects) => {
      for (const each of findPods(objects, 'reports'))
        each['spec'].containers[0].resources.requests['example.com/fpga'] = '1'
    },
    objects: ['Deployment shop/reports'],
  },
  'a pod that has been protected for two weeks': {
    id: 'WL-011',
    breaks: (objects) => {
      annotate(objects, 'web', { [DO_NOT_DISRUPT]: 'true', [SAFE_TO_EVICT]: 'false' })
      const [, , first] = findPods(objects, 'web')
      if (first !== undefined) first['metadata'].creationTimestamp = '2026-08-08T09:00:00Z'
    },
    objects: ['Pod shop/web-7d9-0'],
  },
  'a node that has been draining for an hour': {
    id: 'WL-012',
    breaks: (objects) => {
      get(objects, 'NodeClaim', 'default-new-a')['metadata'].deletionTimestamp = '2026-08-22T08:00:00Z'
    },
    objects: ['NodeClaim default-new-a'],
  },
  'a gated pod': {
    id: 'WL-013',
    breaks: (objects) => {
      const gated = pendingPod({ schedulingGates: [{ name: 'example.com/quota' }] })
      gated['status'] = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }
      objects.push(gated)
    },
    objects: ['Pod shop/alone'],
  },
  'a topology key that no node has': {
    id: 'WL-014',
    breaks: (objects) => {
      for (const each of findPods(objects, 'reports'))
        each['spec'].affinity = {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: 'failure-domain.kubernetes.io/hostname',
                labelSelector: { matchLabels: { app: 'reports' } },
              },
            ],
          },
        }
    },
    objects: ['Deployment shop/reports'],
  },
}
