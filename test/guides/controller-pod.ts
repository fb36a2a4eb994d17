import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Pod, parseQuantity, toMilli, toWhole } from '@kerf/apis'
import type { ControlPlane } from '@kerf/control-plane'
import { freePort } from '../story/kerf-process.ts'

const main = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))

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

/**
 * The controller's container: `kerf run` as a process, with the variables of its pod and the token of its service
 * account. Only what depends on the machine differs: ports that are free, and where AWS and its credentials are.
 */
export class ControllerPod {
  readonly #child: ChildProcess
  readonly #probe: number
  #output = ''
  #hasEnded = false

  private constructor(child: ChildProcess, probe: number) {
    this.#child = child
    this.#probe = probe
    const note = (text: string): void => {
      this.#output += text
    }
    child.stdout?.setEncoding('utf8').on('data', note)
    child.stderr?.setEncoding('utf8').on('data', note)
    child.once('close', () => {
      this.#hasEnded = true
    })
  }

  static async start(
    pod: PodWithVariables,
    plane: ControlPlane,
    parts: { readonly directory: string; readonly machine: Readonly<Record<string, string>> },
  ): Promise<ControllerPod> {
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
      ...IMAGE_VARIABLES,
      ...Object.fromEntries((container?.env ?? []).map((variable) => [variable.name, variableValue(variable, pod)])),
      ...parts.machine,
      PATH: process.env['PATH'] ?? '',
      METRICS_PORT: String(await freePort()),
      HEALTH_PROBE_PORT: String(probe),
      KUBECONFIG: kubeconfig,
    }
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'run'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    })
    return new ControllerPod(child, probe)
  }

  get output(): string {
    return this.#output
  }

  get hasEnded(): boolean {
    return this.#hasEnded
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
    if (this.#hasEnded) return
    const ended = once(this.#child, 'close')
    this.#child.kill('SIGTERM')
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), 20_000)
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
