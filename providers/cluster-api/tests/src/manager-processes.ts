import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Issued, issueCertificate } from '@kerf/runtime/testing'
import { freePorts } from '../../../../tests/support/control-plane/src/free-ports.ts'
import { logPath, readLog, untilReady } from '../../../../tests/support/control-plane/src/program-log.ts'
import { startWatchdog, type Watchdog } from '../../../../tests/support/control-plane/src/watchdog.ts'
import { type ManagerName, managerNames, managerPath } from './managers.ts'

const POLL_MS = 100

/** The same settings as for the control plane: with small heaps, more memory costs less than frequent garbage collection. */
const MEMORY = { GOGC: '400', GOMEMLIMIT: '1GiB' }

/** The ports of one manager. Its webhooks listen on every address of the machine, but its health check listens only on loopback. */
interface Ports {
  readonly webhook: number
  readonly health: number
}

/**
 * The processes of the four managers, with their certificates and logs. `stop` ends them and deletes their files. Without `stop`, this
 * happens when this process ends.
 */
export class ManagerProcesses {
  readonly directory: string
  readonly #authority: Issued
  readonly #watchdog: Watchdog
  readonly #children = new Map<ManagerName, ChildProcess>()
  readonly #failures: string[] = []
  readonly #ports: ReadonlyMap<ManagerName, Ports>
  readonly #kubeconfig: string

  private constructor(kubeconfig: string, ports: ReadonlyMap<ManagerName, Ports>) {
    this.directory = mkdtempSync(join(tmpdir(), 'kerf-cluster-api-'))
    this.#watchdog = startWatchdog(this.directory)
    this.#authority = issueCertificate('kerf cluster api bed')
    this.#ports = ports
    this.#kubeconfig = kubeconfig
  }

  /** Chooses ports without starting anything. @param kubeconfig of the management cluster */
  static async prepare(kubeconfig: string): Promise<ManagerProcesses> {
    const free = await freePorts(managerNames.length * 2)
    const ports = managerNames.map((name, index) => {
      const [webhook = 0, health = 0] = free.slice(index * 2, index * 2 + 2)
      return [name, { webhook, health }] as const
    })
    return new ManagerProcesses(kubeconfig, new Map(ports))
  }

  /** Returns the port of a manager's webhooks and the CA that the API server must trust. */
  webhookServer(name: ManagerName): { readonly port: number; readonly ca: string } {
    return { port: this.#portsOf(name).webhook, ca: this.#authority.cert }
  }

  /** Starts a manager. A stopped manager starts again on the same ports. */
  start(name: ManagerName): void {
    const { webhook, health } = this.#portsOf(name)
    const log = openSync(logPath(this.directory, name), 'a')
    let child: ChildProcess
    try {
      child = spawn(
        managerPath(name),
        [
          `--webhook-port=${webhook}`,
          `--webhook-cert-dir=${this.#certificates(name)}`,
          `--health-addr=127.0.0.1:${health}`,
          // No test needs metrics, and another process may use the default port.
          '--diagnostics-address=0',
          // This feature limits every object to one reconciliation per second, which is meant for large installations.
          '--feature-gates=ReconcilerRateLimiting=false',
          '--kube-api-qps=1000',
          '--kube-api-burst=2000',
        ],
        {
          cwd: this.directory,
          stdio: ['ignore', log, log],
          detached: true,
          env: {
            PATH: process.env['PATH'] ?? '',
            HOME: this.directory,
            TMPDIR: this.directory,
            KUBECONFIG: this.#kubeconfig,
            // The address that the in-memory workload clusters report.
            POD_IP: '127.0.0.1',
            ...MEMORY,
          },
        },
      )
    } finally {
      closeSync(log)
    }
    this.#watchdog.watch(child)
    this.#children.set(name, child)
    child.on('error', (error) => this.#failures.push(`${name} did not start: ${error.message}`))
    child.on('exit', (code, signal) => {
      if (this.#children.get(name) === child) this.#failures.push(`${name} ended (${signal ?? `exit code ${code}`})`)
    })
  }

  /** Ends one manager and waits for its end. Its objects stay. */
  async end(name: ManagerName): Promise<void> {
    const child = this.#children.get(name)
    this.#children.delete(name)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  log(name: ManagerName): string {
    return readLog(this.directory, name)
  }

  /** @throws Error with the last lines of its log when a manager ends, or when it is not ready and logs nothing more */
  async untilReady(name: ManagerName): Promise<void> {
    const { health } = this.#portsOf(name)
    const isReady = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${health}/readyz`)).ok
    const failure = (): string | undefined => this.#failures[0]
    await untilReady(name, { directory: this.directory, everyMs: POLL_MS, isReady, failure })
  }

  stop(): Promise<void> {
    this.#children.clear()
    return this.#watchdog.release()
  }

  #portsOf(name: ManagerName): Ports {
    const ports = this.#ports.get(name)
    if (ports === undefined) throw new Error(`no ports for ${name}`)
    return ports
  }

  #certificates(name: ManagerName): string {
    const directory = join(this.directory, name)
    mkdirSync(directory, { recursive: true })
    const { cert, key } = issueCertificate('127.0.0.1', { issuer: this.#authority })
    writeFileSync(join(directory, 'tls.crt'), cert)
    writeFileSync(join(directory, 'tls.key'), key, { mode: 0o600 })
    return directory
  }
}
