import { formatResources } from '@kerf/apis'
import { NotKnownYetError } from '@kerf/provider-contract'
import { ApiError, retry, SeededRandom, VirtualClock } from '@kerf/runtime'
import { type ApiCall, SandboxApi } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import type { ManagementChange } from '../management/management-cluster.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { annotatedDeployment, capacityAnnotations } from '../testing/deployment.ts'
import { installTemplate, templateKind } from '../testing/machine-template.ts'
import { machineFacts } from './machine-facts.ts'
import { MachineTemplates } from './machine-templates.ts'
import { describeProblem } from './problem.ts'
import { machineTypes } from './types-of.ts'

const KIND = templateKind('MetalMachineTemplate', 'v1beta7')
const never = new AbortController().signal
const location = { group: KIND.group, kind: KIND.kind, namespace: 'default', name: 'big' }

/** Starts a management cluster with a template that publishes the capacity of its machines, in a version found by discovery. */
const start = async (annotations: Readonly<Record<string, string>>) => {
  const api = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) })
  const admin = api.client()
  await installTemplate(admin, KIND, 'big', {
    capacity: { cpu: '64', memory: '256Gi' },
    nodeInfo: { architecture: 'arm64' },
  })
  const calls: string[] = []
  const harness = { fault: undefined as ((call: ApiCall) => Error | undefined) | undefined, calls }
  const client = api.client({
    interceptor: {
      before: (call) => {
        calls.push(call.verb)
        const fault = harness.fault?.(call)
        if (fault !== undefined) throw fault
      },
    },
  })
  const deployment: MachineDeployment = annotatedDeployment(annotations, { infrastructure: location })
  const listeners: ((change: ManagementChange) => void)[] = []
  const templates = new MachineTemplates({
    client,
    deployments: () => [deployment],
    onChange: (listener) => {
      listeners.push(listener)
      return () => {}
    },
  })
  const controller = templates.controller()
  const keys: string[] = []
  controller.subscribe?.((key) => keys.push(key))
  return Object.assign(harness, {
    /** Returns the instance types after the provider has seen the MachineDeployment. */
    seen: async () => {
      for (const listener of listeners) listener({ kind: 'deployment', name: deployment })
      for (const key of keys.splice(0)) await controller.reconcile(key, never)
      return machineTypes([{ deployment, mayLaunch: true, mayDrift: true }], () =>
        machineFacts(undefined, templates.of(deployment)),
      )
    },
  })
}

test('a template is read in the served version if its deployment has no capacity annotations', async () => {
  const harness = await start({})
  const { types, problems } = await harness.seen()
  expect(formatResources(types[0]?.capacity ?? {})).toEqual({ cpu: '64', memory: '256Gi', pods: '110' })
  expect(types[0]?.requirements.find(({ key }) => key === 'kubernetes.io/arch')?.values).toEqual(['arm64'])
  expect(problems).toEqual([])
})

test('a deployment that is seen before the management cluster is known is checked again', async () => {
  const templates = new MachineTemplates({
    client: new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client(),
    deployments: () => {
      throw new NotKnownYetError('machines are not listed yet')
    },
    onChange: () => () => {},
  })
  expect(await templates.controller().reconcile('default/small', never)).toEqual(retry())
})

test('no template is read if the deployment declares cpu and memory', async () => {
  const harness = await start(capacityAnnotations({ cpu: '2', memory: '4Gi' }))
  expect((await harness.seen()).types).toHaveLength(1)
  expect(harness.calls).toEqual([])
})

test('a missing permission is named next to the missing amounts, and everything else continues', async () => {
  const harness = await start({})
  harness.fault = ({ kind }) =>
    kind?.kind === KIND.kind ? new ApiError({ code: 403, reason: 'Forbidden', message: 'no' }) : undefined
  const { types, problems } = await harness.seen()
  expect(types).toEqual([])
  expect(problems.map(({ reason }) => reason)).toEqual(['CapacityMissing', 'CapacityMissing', 'TemplateForbidden'])
  expect(problems.map(describeProblem)[2]).toContain(
    'grant get on metalmachinetemplates.infrastructure.cluster.x-k8s.io in the management cluster',
  )
})

test('a missing template gives nothing; a failed read is retried and keeps the last result', async () => {
  const harness = await start({})
  await harness.seen()
  harness.fault = () => new ApiError({ code: 500, reason: 'InternalError', message: 'later' })
  await expect(harness.seen()).rejects.toThrow('later')
  harness.fault = ({ verb, kind }) =>
    verb === 'get' && kind?.kind === KIND.kind
      ? new ApiError({ code: 404, reason: 'NotFound', message: 'gone' })
      : undefined
  expect((await harness.seen()).problems.map(({ reason }) => reason)).toEqual(['CapacityMissing', 'CapacityMissing'])
})
