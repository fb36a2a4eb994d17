import type { HttpRequest, HttpResponse, Send } from '@kerf/provider-kit'
import { classifyConnectionFault, NoResponseError } from '@kerf/provider-kit'
import { pathRoles } from '../../verbs/role-commands.ts'
import { type ApiMethod, apiMethods } from './api-methods.ts'
import { FAKE_USER, type FakeCluster } from './fake-cluster.ts'
import { FakeRefusal } from './fake-refusal.ts'
import * as guestCalls from './guest-calls.ts'
import { bridges, haStatus, listResources, nodeStatus } from './list-resources.ts'
import { parameterProblems } from './parameter-rules.ts'
import { parseUpload } from './parse-upload.ts'
import * as templateCalls from './template-calls.ts'

export const FAKE_SECRET = '11111111-2222-3333-4444-555555555555'
/** The ticket of `root@pam`, whose password is the secret of the fake. */
const ROOT_TICKET = 'PVE:root@pam:65A1B2C3::fake'
/** The path of the API in a URL. */
const API = '/api2/json'

/** The way in which the next calls of a method fail. */
export type FakeFault =
  | { readonly status: number; readonly message: string; readonly isDone?: true }
  /** `isDone` means that the call takes effect, and only its response is lost or wrong. */
  | { readonly code: string; readonly isDone?: true }

/** Returns the response of a call that fails. Throws if the response is lost. */
const failedCall = (fault: FakeFault): HttpResponse => {
  if ('status' in fault) return answer(fault.status, fault.message, { data: null })
  throw lost(fault.code)
}

type Handler = (call: guestCalls.FakeCall) => unknown

const GUEST = '/nodes/{node}/qemu/{vmid}'
const handlers: Readonly<Record<string, Handler>> = {
  'GET /version': () => ({ version: '9.1.3' }),
  'GET /cluster/resources': listResources,
  'GET /cluster/ha/status/manager_status': haStatus,
  'GET /cluster/firewall/groups': () => [{ group: 'k8s' }, { group: 'ssh' }],
  'GET /nodes/{node}/status': nodeStatus,
  'GET /nodes/{node}/network': bridges,
  'GET /nodes/{node}/tasks/{upid}/status': ({ cluster, path }) => cluster.tasks.status(path['upid'] ?? ''),
  [`GET ${GUEST}/config`]: guestCalls.guestConfig,
  [`GET ${GUEST}/status/current`]: guestCalls.guestStatus,
  [`POST ${GUEST}/clone`]: guestCalls.cloneGuest,
  [`PUT ${GUEST}/resize`]: guestCalls.resizeDisk,
  [`PUT ${GUEST}/config`]: guestCalls.configureGuest,
  [`PUT ${GUEST}/cloudinit`]: () => null,
  [`POST ${GUEST}/status/start`]: guestCalls.startGuest,
  [`POST ${GUEST}/status/stop`]: guestCalls.stopGuest,
  [`DELETE ${GUEST}`]: guestCalls.destroyGuest,
  [`PUT ${GUEST}/firewall/options`]: guestCalls.setFirewall,
  [`GET ${GUEST}/firewall/rules`]: guestCalls.firewallRules,
  [`POST ${GUEST}/firewall/rules`]: guestCalls.addRule,
  [`DELETE ${GUEST}/firewall/rules/{pos}`]: guestCalls.removeRule,
  'PUT /pools': guestCalls.changePool,
  'GET /nodes/{node}/storage/{storage}/content': templateCalls.listVolumes,
  'POST /nodes/{node}/storage/{storage}/download-url': templateCalls.downloadImage,
  'POST /nodes/{node}/storage/{storage}/upload': templateCalls.uploadFile,
  'DELETE /nodes/{node}/storage/{storage}/content/{volume}': templateCalls.deleteVolume,
  'POST /nodes/{node}/qemu': templateCalls.createGuest,
  [`POST ${GUEST}/template`]: templateCalls.convertToTemplate,
}

const patterns = Object.keys(apiMethods).map((method) => ({
  method,
  pattern: new RegExp(`^${method.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

const answer = (status: number, statusText: string, body: unknown): HttpResponse => ({
  ...{ status, statusText, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) },
})

/**
 * A fake of Proxmox's API over HTTP. It checks the token, the privileges, and each parameter against Proxmox's API description. Its errors
 * have Proxmox's wording.
 */
export class FakeProxmox {
  readonly cluster: FakeCluster
  /** The methods that were called, in order. */
  readonly calls: string[] = []
  /**
   * The privileges of the token by path. The default is the roles that `kerf proxmox roles` prints. Privileges also apply below the path,
   * except those of `/`.
   */
  privileges: ReadonlyMap<string, readonly string[]> = new Map(
    pathRoles('Kerf').map(({ path, privileges }) => [path, privileges]),
  )
  secret = FAKE_SECRET
  isTokenExpired = false
  /** Called for each call of a known method. */
  onCall: (method: string) => void = () => undefined
  readonly #faults = new Map<string, FakeFault>()

  constructor(cluster: FakeCluster) {
    this.cluster = cluster
  }

  /** Makes every call of the method fail until `recover`. */
  fail(method: string, fault: FakeFault): void {
    this.#faults.set(method, fault)
  }

  recover(): void {
    this.#faults.clear()
  }

  count(method: string): number {
    return this.calls.filter((each) => each === method).length
  }

  readonly send: Send = async (request, signal) => {
    signal.throwIfAborted()
    this.cluster.tasks.settle()
    const path = decodeURI(request.url.pathname.slice(API.length))
    const found = patterns.find(({ pattern }) => pattern.test(`${request.method} ${path}`))
    if (found === undefined) return answer(501, `Method '${request.method} ${path}' not implemented`, { data: null })
    const { method, pattern } = found
    this.calls.push(method)
    this.onCall(method)
    const fault = this.#faults.get(method)
    if (fault !== undefined && fault.isDone !== true) return failedCall(fault)
    const inPath = Object.fromEntries(
      Object.entries(pattern.exec(`${request.method} ${path}`)?.groups ?? {}).map(([name, value]) => [
        name,
        decodeURIComponent(value),
      ]),
    )
    const done = this.#answer(method, inPath, request)
    this.cluster.tasks.settle()
    return fault === undefined ? done : failedCall(fault)
  }

  #answer(method: string, path: Readonly<Record<string, string>>, request: HttpRequest): HttpResponse {
    const { url, body = '', headers = {} } = request
    const isRoot = headers['cookie'] === `PVEAuthCookie=${ROOT_TICKET}`
    const isToken = headers['authorization'] === `PVEAPIToken=${FAKE_USER}=${this.secret}`
    if (this.isTokenExpired || !(isRoot || isToken || method === 'POST /access/ticket'))
      return answer(401, 'authentication failure', { data: null })
    const uploaded = request.bytes === undefined ? undefined : parseUpload(headers['content-type'] ?? '', request.bytes)
    const given = new Map(
      uploaded?.fields ??
        (request.method === 'GET' || request.method === 'DELETE' ? url.searchParams : new URLSearchParams(body)),
    )
    try {
      const known = apiMethods[method]
      const handler: Handler | undefined =
        { 'GET /access/permissions': () => this.#permissions(), 'POST /access/ticket': () => this.#ticket(given) }[
          method
        ] ?? handlers[method]
      if (known === undefined || handler === undefined) throw new FakeRefusal(501, `Method '${method}' not implemented`)
      const problems = parameterProblems(known.parameters, given)
      if (Object.keys(problems).length > 0) throw new FakeRefusal(400, 'Parameter verification failed.', problems)
      if (!isRoot) this.#checkPrivileges(known, { ...path, ...Object.fromEntries(given) })
      if (known.isProxied === true) this.#checkNode(path['node'] ?? '')
      return answer(200, 'OK', {
        data: handler({
          ...{ cluster: this.cluster, path, given, file: uploaded?.content, isRoot },
          require: isRoot ? () => undefined : this.#require,
        }),
      })
    } catch (error) {
      if (!(error instanceof FakeRefusal)) throw error
      const errors = error.parameters === undefined ? {} : { errors: error.parameters }
      return answer(error.status, error.message, { data: null, ...errors })
    }
  }

  #ticket(given: ReadonlyMap<string, string>): object {
    if (given.get('username') !== 'root@pam' || given.get('password') !== this.secret)
      throw new FakeRefusal(401, 'authentication failure')
    return { ticket: ROOT_TICKET, CSRFPreventionToken: 'fake' }
  }

  #permissions(): object {
    const paths = new Set(['/', '/access', ...this.privileges.keys()])
    return Object.fromEntries(
      [...paths].map((path) => [path, Object.fromEntries(this.#at(path).map((privilege) => [privilege, 1]))]),
    )
  }

  /** Returns the privileges at a path: those of the longest path that is a prefix of it. */
  #at(path: string): readonly string[] {
    const [, granted = []] =
      [...this.privileges]
        .filter(([each]) => path === each || (each !== '/' && path.startsWith(`${each}/`)))
        .toSorted(([a], [b]) => b.length - a.length)[0] ?? []
    return granted
  }

  readonly #require = (path: string, ...anyOf: readonly string[]): void => {
    const granted = this.#at(path)
    if (!anyOf.some((privilege) => granted.includes(privilege)))
      throw new FakeRefusal(403, `Permission check failed (${path}, ${anyOf.join('|')})`)
  }

  #checkPrivileges({ needs = [] }: ApiMethod, parameters: Readonly<Record<string, string>>): void {
    for (const { path, anyOf } of needs)
      this.#require(
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? ''),
        ...anyOf,
      )
  }

  #checkNode(name: string): void {
    const node = this.cluster.nodes.find((each) => each.name === name)
    if (node === undefined) throw new FakeRefusal(500, `hostname lookup '${name}' failed - failed to get address info`)
    if (!node.isOnline) throw new FakeRefusal(595, 'No route to host')
  }
}

const lost = (code: string): NoResponseError =>
  new NoResponseError('pve.test:8006', classifyConnectionFault(Object.assign(new Error(code), { code })))
