import { type Pod, podRequests } from '@kerf/apis'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formText } from '../testing/form-text.ts'
import { podForm } from './pod-form.ts'

/** Only a few strings, so that pods are often equal or nearly equal. Some of the strings look like tokens. */
const text = fc.constantFrom('a', 'b', '1', '', 'object', 'end', '","', 'null')
const few = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 2 })
const textMap = fc.dictionary(text, text, { maxKeys: 2 })
const amounts = fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '2', '1000m', 1), { maxKeys: 2 })

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    text,
    fc.constantFrom(0, 1, true, false, null),
    fc.array(tie('tree'), { maxLength: 2 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 2 }),
  ),
}))

const optional = <T>(fields: { [Field in keyof T]: fc.Arbitrary<T[Field]> }) => fc.record(fields, { requiredKeys: [] })

const container = optional({
  name: text,
  resources: optional({ requests: amounts, claims: few(fc.record({ name: text })) }),
  restartPolicy: fc.constantFrom('Always'),
  ports: few(optional({ containerPort: fc.constant(80), hostPort: fc.constantFrom(0, 80), protocol: text })),
})

const status = optional({ name: text, resources: optional({ requests: amounts }), allocatedResources: amounts })

const spec = optional({
  initContainers: few(container),
  resources: optional({ requests: amounts }),
  overhead: amounts,
  nodeSelector: textMap,
  affinity: tree,
  tolerations: few(tree),
  topologySpreadConstraints: few(tree),
  volumes: few(optional({ name: text, persistentVolumeClaim: fc.record({ claimName: text }) })),
  resourceClaims: few(fc.record({ name: text })),
  nodeName: text,
})

const plainContainer = fc.record({
  name: text,
  resources: fc.record({ requests: fc.constantFrom({ cpu: '1' }, { cpu: '1000m' }, {}) }),
})
const simple = { weight: 3, arbitrary: fc.tuple(plainContainer) }
const podStatus = optional({
  containerStatuses: few(status),
  initContainerStatuses: few(status),
  conditions: few(
    fc.record({ type: fc.constantFrom('PodResizePending', 'Ready'), reason: fc.constantFrom('Infeasible', '') }),
  ),
})

/** Most fields of a pod are absent, so that pods are equal often enough. */
const pod = fc
  .record({
    metadata: fc.record({ name: text, namespace: fc.constantFrom('a', 'b') }),
    labels: fc.oneof({ weight: 3, arbitrary: fc.constant({ app: 'a' }) }, textMap),
    containers: fc.oneof(simple, fc.array(container, { minLength: 1, maxLength: 2 })),
    spec: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, spec),
    status: fc.option(podStatus, { freq: 3, nil: undefined }),
  })
  .map(
    ({ metadata, labels, containers, spec, status }) =>
      JSON.parse(JSON.stringify({ metadata: { ...metadata, labels }, spec: { containers, ...spec }, status })) as Pod,
  )

const runs = Number(process.env['KERF_PROPERTY_RUNS'] ?? 300)

const podAmounts = (each: Pod): unknown => {
  try {
    return [...podRequests(each)].sort()
  } catch (error) {
    return String(error)
  }
}

test('pods have the same form if and only if the texts of their demands are equal', () => {
  let alike = 0
  fc.assert(
    fc.property(fc.array(pod, { minLength: 30, maxLength: 60 }), (pods) => {
      for (const [index, one] of pods.entries()) {
        for (const other of pods.slice(index + 1)) {
          const isAlike = formText(one) === formText(other)
          expect(podForm(one) === podForm(other), `${JSON.stringify(one)} ${JSON.stringify(other)}`).toBe(isAlike)
          if (!isAlike) continue
          alike += 1
          expect(podAmounts(one)).toEqual(podAmounts(other))
        }
      }
    }),
    { numRuns: Math.ceil(runs / 10) },
  )
  expect(alike).toBeGreaterThan(100)
})

test('changing one value of a pod changes its form if and only if it changes the text of its demand', () => {
  fc.assert(
    fc.property(pod, fc.nat(), text, (one, place, value) => {
      const other = JSON.parse(JSON.stringify(one)) as Pod
      const owners: (readonly [owner: object, field: string])[] = []
      const walk = (owner: object): void => {
        for (const [field, each] of Object.entries(owner)) {
          if (typeof each === 'object' && each !== null) walk(each)
          else owners.push([owner, field])
        }
      }
      walk(other)
      const [owner, field] = owners[place % owners.length] ?? [other.metadata, 'name']
      Object.assign(owner, { [field]: value })
      expect(podForm(one) === podForm(other)).toBe(formText(one) === formText(other))
    }),
    { numRuns: runs * 10 },
  )
})
