import {
  fields,
  flag,
  type Kept,
  keepMapOf,
  keepOneOf,
  labelKey,
  labelValue,
  list,
  name,
  number,
  quantity,
} from './kept-values.ts'

/** This file lists the fields of a pod that affect where it may run, what it requests and how it ends. */

const CLAIM_MODES = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'] as const

export const labelMap = keepMapOf(labelKey, labelValue)
export const resources = keepMapOf(labelKey, quantity)

const operators = keepOneOf('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte')
export const requirement = { key: labelKey, operator: operators, values: list(labelValue) }

export const labelSelector = fields({ matchLabels: labelMap, matchExpressions: list(fields(requirement)) })

const nodeSelectorTerm = fields({
  matchExpressions: list(fields(requirement)),
  matchFields: list(fields(requirement)),
})

const podAffinityTerm = fields({
  labelSelector,
  namespaceSelector: labelSelector,
  namespaces: list(name),
  topologyKey: labelKey,
  matchLabelKeys: list(labelKey),
  mismatchLabelKeys: list(labelKey),
})

const podAffinity = fields({
  requiredDuringSchedulingIgnoredDuringExecution: list(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: list(fields({ weight: number, podAffinityTerm })),
})

const affinity = fields({
  nodeAffinity: fields({
    requiredDuringSchedulingIgnoredDuringExecution: fields({ nodeSelectorTerms: list(nodeSelectorTerm) }),
    preferredDuringSchedulingIgnoredDuringExecution: list(fields({ weight: number, preference: nodeSelectorTerm })),
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
})

export const toleration = fields({
  key: labelKey,
  operator: keepOneOf('Exists', 'Equal', 'Gt', 'Lt'),
  value: labelValue,
  effect: keepOneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
  tolerationSeconds: number,
})

const honor = keepOneOf('Honor', 'Ignore')
const spread = fields({
  maxSkew: number,
  minDomains: number,
  topologyKey: labelKey,
  whenUnsatisfiable: keepOneOf('DoNotSchedule', 'ScheduleAnyway'),
  labelSelector,
  matchLabelKeys: list(labelKey),
  nodeAffinityPolicy: honor,
  nodeTaintsPolicy: honor,
})

export const claimSpec = fields({
  accessModes: list(keepOneOf(...CLAIM_MODES)),
  resources: fields({ requests: resources, limits: resources }),
  storageClassName: name,
  volumeMode: keepOneOf('Filesystem', 'Block'),
})

const volume: Kept = (value) => {
  const kept = fields({
    name,
    persistentVolumeClaim: fields({ claimName: name, readOnly: flag }),
    ephemeral: fields({ volumeClaimTemplate: fields({ spec: claimSpec }) }),
  })(value)
  // Volumes for config maps, secrets and scratch space do not affect scheduling.
  const isAttached = typeof kept === 'object' && kept !== null && Object.keys(kept).some((field) => field !== 'name')
  return isAttached ? kept : undefined
}

const hostPort: Kept = (value) => {
  const kept = fields({
    containerPort: number,
    hostPort: number,
    hostIP: ip,
    protocol: keepOneOf('TCP', 'UDP', 'SCTP'),
  })(value)
  return typeof kept === 'object' && kept !== null && 'hostPort' in kept ? kept : undefined
}

const ip: Kept = (value) => (typeof value === 'string' && /^[0-9a-f:.]+$/i.test(value) ? value : undefined)

const container: Kept = (value) => {
  const kept = fields({
    name,
    resources: fields({ requests: resources, limits: resources }),
    restartPolicy: keepOneOf('Always', 'OnFailure', 'Never'),
    ports: list(hostPort),
  })(value)
  if (typeof kept !== 'object' || kept === null) return undefined
  const { ports, ...rest } = kept as { readonly ports?: readonly unknown[] }
  return { ...rest, image: 'recorded', ...(ports === undefined || ports.length === 0 ? {} : { ports }) }
}

const podFields = fields({
  nodeSelector: labelMap,
  affinity,
  tolerations: list(toleration),
  topologySpreadConstraints: list(spread),
  resources: fields({ requests: resources, limits: resources }),
  overhead: resources,
  runtimeClassName: name,
  priorityClassName: name,
  schedulerName: name,
  preemptionPolicy: keepOneOf('PreemptLowerPriority', 'Never'),
  terminationGracePeriodSeconds: number,
  restartPolicy: keepOneOf('Always', 'OnFailure', 'Never'),
  volumes: list(volume),
  initContainers: list(container),
  containers: list(container),
})

const OPTIONAL_LISTS = ['volumes', 'initContainers'] as const

export const podSpec: Kept = (value) => {
  const kept = podFields(value)
  if (typeof kept !== 'object' || kept === null) return undefined
  return Object.fromEntries(
    Object.entries(kept).filter(
      ([field, list]) => !(OPTIONAL_LISTS.some((each) => each === field) && Array.isArray(list) && list.length === 0),
    ),
  )
}
