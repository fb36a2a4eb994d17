import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Pod, parseQuantity, toMilli, toWhole } from '@kerf/apis'
import { type ControlPlane, freePort, type StartedProgram } from '@kerf/control-plane'
import { IMAGE_PROVIDER } from '../../../tools/image/image-provider.ts'
import { compileCache, startKerf } from '../story/start-kerf.ts'

/** An environment variable of a container, with the fields that the chart uses. */
export interface EnvVar {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string }
    readonly resourceFieldRef?: { readonly resource: string }
  }
}

/** A controller pod and the environment variables of its container. */
export type PodWithVariables = Pod & {
  readonly spec: { readonly containers: readonly { readonly env?: readonly EnvVar[] }[] }
}

/** The variables that the Dockerfile sets. */
const IMAGE_VARIABLES = { NODE_ENV: 'production', KERF_PROVIDER: IMAGE_PROVIDER }

/** Returns the value that a kubelet would give to a variable of the chart. */
const variableValue = (variable: EnvVar, pod: PodWithVariables): string => {
  const { fieldRef, resourceFieldRef } = variable.valueFrom ?? {}
  if (variable.valueFrom === undefined) return variable.value ?? ''
  if (fieldRef?.fieldPath === 'metadata.namespace') return pod.metadata.namespace ?? ''
  if (resourceFieldRef !== undefined) {
    const [kind = '', name = ''] = resourceFieldRef.resource.split('.')
    const [container] = pod.spec.containers
    const amounts = kind === 'limits' ? container?.resources?.limits : container?.resources?.requests
    // For an environment variable with a `resourceFieldRef`, a kubelet uses the node's capacity if the container has no limit, and zero
    // if it has no request.
    const amount = parseQuantity(amounts?.[name] ?? (kind === 'requests' ? '0' : '7Gi'))
    return String(name === 'cpu' ? toMilli(amount) : toWhole(amount))
  }
  throw new Error(`a variable that this kubelet cannot fill: ${JSON.stringify(variable)}`)
}

export interface ControllerPodOptions {
  /** The folder in which to write the kubeconfig. */
  readonly directory: string
  /** Variables that depend on the machine. */
  readonly machine: Readonly<Record<string, string>>
  /** Starts the program of the image. By default, this is the Kerf of this checkout. */
  start?(env: Readonly<Record<string, string>>): StartedProgram
}

/**
 * The controller's container: `kerf run` as a process, with its pod's variables and its service account's token. Only values that depend on
 * the machine differ: free ports, and the address and credentials of AWS.
 */
export class ControllerPod {
  readonly #program: StartedProgram
  readonly #probe: number

  private constructor(program: StartedProgram, probe: number) {
    this.#program = program
    this.#probe = probe
  }

  static async start(
    pod: PodWithVariables,
    plane: ControlPlane,
    options: ControllerPodOptions,
  ): Promise<ControllerPod> {
    const { name = '', namespace = '' } = pod.metadata
    const account = pod.spec.serviceAccountName ?? 'default'
    const token = await plane.kubectl(['create', 'token', account, '--namespace', namespace, '--duration', '1h'])
    if (token.code !== 0) throw new Error(token.stderr)
    const kubeconfig = join(options.directory, `${name}.kubeconfig`)
    writeFileSync(kubeconfig, accountKubeconfig(plane, token.stdout.trim()), { mode: 0o600 })
    chmodSync(kubeconfig, 0o600)
    const [container] = pod.spec.containers
    const probe = await freePort()
    const env = {
      ...compileCache(),
      ...IMAGE_VARIABLES,
      ...Object.fromEntries((container?.env ?? []).map((variable) => [variable.name, variableValue(variable, pod)])),
      ...options.machine,
      PATH: process.env['PATH'] ?? '',
      METRICS_PORT: String(await freePort()),
      HEALTH_PROBE_PORT: String(probe),
      KUBECONFIG: kubeconfig,
    }
    return new ControllerPod(options.start?.(env) ?? startKerf(['run'], { env }), probe)
  }

  get output(): string {
    return this.#program.output
  }

  get hasEnded(): boolean {
    return this.#program.hasEnded
  }

  /** Returns the result of the readiness probe. */
  async isReady(): Promise<boolean> {
    try {
      return (await fetch(`http://127.0.0.1:${this.#probe}/readyz`)).ok
    } catch {
      return false
    }
  }

  /** Stops the container like a kubelet: sends SIGTERM, and SIGKILL after the grace period. */
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
