/** A parsed JSON object. Tests break its fields, so the values may have wrong types. */
export type Loose = Record<string, ReturnType<typeof JSON.parse>>
/** Parsed objects, which tests change in place. */
export type Objects = Loose[]

/** A fault in a healthy cluster, and the expected findings. */
export interface Broken {
  readonly id: string
  readonly breaks: (objects: Objects, cloud: Objects) => void
  readonly objects: readonly string[]
  /** Other checks that the same fault triggers. */
  readonly besides?: readonly string[]
  readonly severity?: 'critical' | 'warning' | 'information'
}

export const get = (objects: Objects, kind: string, name: string): Loose => {
  const found = objects.find((each) => each['kind'] === kind && each['metadata'].name === name)
  if (found === undefined) throw new Error(`there is no ${kind} ${name} to break`)
  return found
}

/** Returns the pod template and the pods of a Deployment. */
export const findPods = (objects: Objects, name: string): readonly Loose[] => [
  get(objects, 'Deployment', name)['spec'].template,
  get(objects, 'ReplicaSet', `${name}-7d9`)['spec'].template,
  ...objects.filter((each) => each['kind'] === 'Pod' && each['metadata'].name.startsWith(`${name}-7d9-`)),
]

export const annotate = (objects: Objects, name: string, annotations: Record<string, string>): void => {
  for (const pod of findPods(objects, name))
    pod['metadata'].annotations = { ...pod['metadata'].annotations, ...annotations }
}

export const event = (reason: string, kind: string, namespace: string, name: string): Loose => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `${reason}-${name}`, namespace },
  involvedObject: { kind, namespace, name },
  reason,
  firstTimestamp: '2026-08-22T08:59:30Z',
  lastTimestamp: '2026-08-22T08:59:30Z',
})

/** Returns the exported document that contains the field. */
export const exported = (cloud: Objects, field: string): Loose => {
  const found = cloud.find((each) => field in each)
  if (found === undefined) throw new Error(`there is no export of ${field} to break`)
  return found
}

export const DO_NOT_DISRUPT = 'karpenter.sh/do-not-disrupt'
export const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict'
