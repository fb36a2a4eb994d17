import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runExplainPod } from '../explain/run-explain-pod.ts'
import { runPlan } from './run-plan.ts'

const example = fileURLToPath(new URL('../../../../examples/devices/', import.meta.url))
const source = {
  filename: [`${example}cluster.yaml`, `${example}pods.yaml`],
  instanceTypes: `${example}instance-types.json`,
}

const output = () => {
  let text = ''
  const streams = {
    stdout: { write: (part: string) => (text += part) },
    stderr: { write: () => {} },
    env: {},
  }
  return { streams, text: () => text }
}

const plan = async (ignoreDraRequests: boolean) => {
  const { streams, text } = output()
  const code = await runPlan(
    {
      ...source,
      ignoreDraRequests,
      output: 'table',
      diff: false,
      explainCost: false,
      preferencePolicy: 'Respect',
      minValuesPolicy: 'Strict',
    },
    streams,
  )
  return { code, text: text() }
}

test('for ResourceClaims in files, plans instances with the devices, and reports unavailable devices', async () => {
  const { code, text } = await plan(false)
  expect(code).toBe(3)
  expect(text).toMatchInlineSnapshot(`
    "NEW  NODEPOOL  TYPE     ZONE    CAPACITY       PRICE   CPU  MEMORY  TYPES  PODS
      1  devices   gpu-2x   zone-a  on-demand  $1.0000/h  1.00       -      1     1  default/small
      2  devices   gpu-big  zone-b  on-demand  $3.0000/h  1.00       -      1     1  default/trainer

    $4.0000/h more ($2920.00/month) for 2 new nodes with 2 pods.

    1 pod cannot be scheduled
      default/dreamer
        nodepool/devices: no device for gpu of ResourceClaim default/huge-gpu is available: 1 device of class gpu.example.com wanted, none matches
    "
  `)
})

test('with --ignore-dra-requests, pods with ResourceClaims are left out', async () => {
  const { code, text } = await plan(true)
  expect(code).toBe(3)
  expect(text).toContain('it claims devices (dynamic resource allocation), which are ignored')
  expect(text).toContain('Nothing is launched.')
})

test('devices are one of the constraints in the explanation, and removing a claim is suggested', async () => {
  const explain = async (pod: string) => {
    const { streams, text } = output()
    await runExplainPod(pod, { ...source, ignoreDraRequests: false, output: 'text' }, streams)
    return text()
  }
  expect(await explain('default/trainer')).toMatchInlineSnapshot(`
    "default/trainer would run on a new node of NodePool devices: gpu-big (on-demand) in zone-b
      new node 2 of 2 in kerf plan, alone
      gpu-big (on-demand) is the only instance type that fits 1 pod

    NODEPOOL  VERDICT                     OFFERINGS LEFT AFTER EACH CONSTRAINT
    devices   could launch a node for it  offerings 3 → devices 1 → resources 1
    "
  `)
  expect(await explain('default/dreamer')).toMatchInlineSnapshot(`
    "default/dreamer is unschedulable

    NODEPOOL  VERDICT                                                                                                                   OFFERINGS LEFT AFTER EACH CONSTRAINT
    devices   no device for gpu of ResourceClaim default/huge-gpu is available: 1 device of class gpu.example.com wanted, none matches  offerings 3 → devices 0

    Any one of these would make it schedulable
      drop the resource claim gpu
    "
  `)
})
