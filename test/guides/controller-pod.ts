import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Pod, parseQuantity, toMilli, toWhole } from '@kerf/apis'
import { type ControlPlane, freePort, type StartedProgram } from '@kerf/control-plane'
import { compileCache, startKerf } from '../story/start-kerf.ts'

/** What a container gets of variables, as far as the chart uses it. */
export interface EnvVar {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string }
    readonly resourceFieldRef?: { readonly resource: string }
  }
}

/** A pod of the controller. */
export type PodWithVariables = Pod & {
  readonly spec: { readonly containers: readonly { readonly env?: readonly EnvVar[] }[] }
}

/** What the image sets by itself, as the Dockerfile says. */
const IMAGE_VARIABLES = { NODE_ENV: 'production', KERF_PROVIDER: 'aws' }

/** What a kubelet puts into a variable of the chart. */
const variableValue = (variable: EnvVar, pod: PodWithVariables): string => {
  const { fieldRef, resourceFieldRef } = variable.valueFrom ?? {}
  if (variable.valueFrom === undefined) return variable.value ?? ''
  if (fieldRef?.fieldPath === 'metadata.namespace') return pod.metadata.namespace ?? ''
  if (resourceFieldRef !== undefined) {
    const [kind = '', name = ''] = resourceFieldRef.resource.split('.')
    const [container] = pod.spec.containers
    const amounts = kind === 'limits' ? container?.resources?.limits : container?.resources?.requests
    // Without a limit a kubelet gives the node's room, without a request nothing.
    const amount = parseQuantity(amounts?.[name] ?? (kind === 'requests' ? '0' : '7Gi'))
    return String(name === 'cpu' ? toMilli(amount) : toWhole(amount))
  }
  throw new Error(`a variable that this kubelet cannot fill: ${JSON.stringify(variable)}`)
}

export interface ControllerParts {
  /** Where its kubeconfig is written. */
  readonly directory: string
  /** Variables that depend on the machine. */
  readonly machine: Readonly<Record<string, string>>
  /** What the image runs; this Kerf unless given. */
  start?(env: Readonly<Record<string, string>>): StartedProgram
}

/**
 * The controller's container: `kerf run` as a process, with the variables of its pod and the token of its service
 * account. Only what depends on the machine differs: ports that are free, and where AWS and its credentials are.
 */
export class ControllerPod {
  readonly #program: StartedProgram
  readonly #probe: number

  private constructor(program: StartedProgram, probe: number) {
    this.#program = program
    this.#probe = probe
  }

  static async start(pod: PodWithVariables, plane: ControlPlane, parts: ControllerParts): Promise<ControllerPod> {
    const { name = '', namespace = '' } = pod.metadata
    const account = pod.spec.serviceAccountName ?? 'default'
    const token = await plane.kubectl(['create', 'token', account, '--namespace', namespace, '--duration', '1h'])
    if (token.code !== 0) throw new Error(token.stderr)
    const kubeconfig = join(parts.directory, `${name}.kubeconfig`)
    writeFileSync(kubeconfig, accountKubeconfig(plane, token.stdout.trim()), { mode: 0o600 })
    chmodSync(kubeconfig, 0o600)
    const [container] = pod.spec.containers
    const probe = await freePort()
    const env = {
      ...compileCache(),
      ...IMAGE_VARIABLES,
      ...Object.fromEntries((container?.env ?? []).map((variable) => [variable.name, variableValue(variable, pod)])),
      ...parts.machine,
      PATH: process.env['PATH'] ?? '',
      METRICS_PORT: String(await freePort()),
      HEALTH_PROBE_PORT: String(probe),
      KUBECONFIG: kubeconfig,
    }
    return new ControllerPod(parts.start?.(env) ?? startKerf(['run'], { env }), probe)
  }

  get output(): string {
    return this.#program.output
  }

  get hasEnded(): boolean {
    return this.#program.hasEnded
  }

  /** What the readiness probe asks. */
  async isReady(): Promise<boolean> {
    try {
      return (await fetch(`http://127.0.0.1:${this.#probe}/readyz`)).ok
    } catch {
      return false
    }
  }

  /** As a kubelet ends a container: asked first, and killed when the grace period is over. */
  async stop(): Promise<void> {
    const { child, ended } = this.#program
    child.kill('SIGTERM')
    const limit = setTimeout(() => child.kill('SIGKILL'), 20_000)
    await ended
    clearTimeout(limit)
  }
}

const accountKubeconfig = (plane: ControlPlane, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'pod',
    clusters: [
      {
        name: 'here',
        cluster: { server: plane.server, 'certificate-authority-data': Buffer.from(plane.ca).toString('base64') },
      },
    ],
    users: [{ name: 'account', user: { token } }],
    contexts: [{ name: 'pod', context: { cluster: 'here', user: 'account' } }],
  })
