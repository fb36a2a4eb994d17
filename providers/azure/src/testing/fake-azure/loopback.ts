import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HttpRequest } from '@kerf/provider-kit'
import { issueCertificate } from '@kerf/runtime/testing'
import { azureTestEnv } from '../azure-harness.ts'
import type { FakeAzure } from './fake-azure.ts'

const never = new AbortController().signal
const CLIENT = '00000000-0000-0000-0000-0000000000dd'
/** The content of the file that the kubelet would write: a service account token. */
const ASSERTION = 'a.service.account'

/** The fake on loopback servers, for a separate process. */
export interface ServedAzure {
  readonly azure: FakeAzure
  /** The environment with which Kerf uses these servers, with a workload identity. */
  readonly env: Readonly<Record<string, string>>
  /** Returns the number of issued tokens. */
  tokensGiven(): number
  /**
   * Returns the number of tokens that Resource Manager received. If a token is issued too late for its request, Resource Manager never
   * receives it.
   */
  tokensShown(): number
  close(): Promise<void>
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly HttpRequest['method'][]

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const json = (outgoing: ServerResponse, status: number, body: unknown): void => {
  outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

/**
 * Returns the listener of Resource Manager, which passes each HTTP request to the fake. If the fake breaks the connection, the
 * socket is closed.
 */
const resourceManager =
  (azureOf: () => FakeAzure, shown: Set<string>): RequestListener =>
  async (incoming, outgoing) => {
    try {
      shown.add(incoming.headers.authorization ?? '')
      const azure = azureOf()
      const body = await textOf(incoming)
      const method = METHODS.find((known) => known === incoming.method)
      if (method === undefined) {
        outgoing.writeHead(405).end()
        return
      }
      const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, `${value}`]))
      const url = new URL(incoming.url ?? '/', azure.endpoint)
      const answer = await azure.send({ method, url, headers, ...(body === '' ? {} : { body }) }, never)
      outgoing.writeHead(answer.status, answer.headers).end(answer.text)
    } catch {
      outgoing.destroy()
    }
  }

/**
 * Returns the listener of Active Directory for workload identities: learn.microsoft.com, "Microsoft identity platform and the
 * OAuth 2.0 client credentials flow", third case (federated credential), and "OpenID Connect on the Microsoft identity platform"
 * for the first answer.
 */
const directory = (azureOf: () => FakeAzure, hostOf: () => string, onToken: () => void): RequestListener => {
  return async (incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', hostOf())
    const tenant = pathname.split('/')[1] ?? ''
    const at = `${hostOf()}/${tenant}`
    if (pathname.endsWith('/.well-known/openid-configuration')) {
      json(outgoing, 200, {
        ...{ issuer: `${at}/v2.0`, token_endpoint: `${at}/oauth2/v2.0/token`, jwks_uri: `${at}/discovery/v2.0/keys` },
        ...{ authorization_endpoint: `${at}/oauth2/v2.0/authorize`, end_session_endpoint: `${at}/oauth2/v2.0/logout` },
      })
      return
    }
    const form = new URLSearchParams(await textOf(incoming))
    const refuse = (error: string, description: string): void =>
      json(outgoing, 401, { error, error_description: description, error_codes: [700016] })
    if (pathname !== `/${tenant}/oauth2/v2.0/token` || form.get('grant_type') !== 'client_credentials') {
      json(outgoing, 404, { error: 'not_found', error_description: pathname })
    } else if (form.get('client_id') !== CLIENT || form.get('client_assertion') !== ASSERTION) {
      refuse('invalid_client', 'AADSTS700213: No matching federated identity record found for presented assertion.')
    } else if (form.get('scope')?.split(' ').includes(`${azureOf().endpoint}/.default`) !== true) {
      refuse('invalid_resource', `AADSTS500011: The resource principal ${form.get('scope')} was not found.`)
    } else if (azureOf().tokens.hasIdentity) {
      onToken()
      const { token, expiresOnTimestamp } = azureOf().tokens.give()
      const expires_in = Math.round((expiresOnTimestamp - azureOf().clock.now()) / 1_000)
      json(outgoing, 200, { token_type: 'Bearer', expires_in, ext_expires_in: expires_in, access_token: token })
    } else {
      refuse('unauthorized_client', `AADSTS700016: Application with identifier '${CLIENT}' was not found.`)
    }
  }
}

/** Serves a fake, which is created once its endpoint is known. */
export const serveAzure = async (make: (endpoint: string) => FakeAzure): Promise<ServedAzure> => {
  const authority = issueCertificate('the authority of the harness')
  const { cert, key } = issueCertificate('login', { issuer: authority })
  let azure: FakeAzure | undefined
  let login = ''
  let tokens = 0
  const shown = new Set<string>()
  const azureOf = (): FakeAzure => {
    if (azure === undefined) throw new Error('the fake is not made yet')
    return azure
  }
  const manager = createServer(resourceManager(azureOf, shown))
  const active = createTlsServer(
    { cert, key },
    directory(
      azureOf,
      () => login,
      () => tokens++,
    ),
  )
  const endpoint = `http://127.0.0.1:${await listening(manager)}`
  login = `https://127.0.0.1:${await listening(active)}`
  azure = make(endpoint)
  const folder = mkdtempSync(join(tmpdir(), 'kerf-azure-'))
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const cloud = {
    resourceManagerEndpoint: `${endpoint}/`,
    activeDirectoryEndpoint: `${login}/`,
    tokenAudience: endpoint,
  }
  return {
    azure,
    env: {
      ...azureTestEnv,
      AZURE_ENVIRONMENT_FILEPATH: file('cloud.json', JSON.stringify(cloud)),
      AZURE_FEDERATED_TOKEN_FILE: file('token', ASSERTION),
      AZURE_CLIENT_ID: CLIENT,
      NODE_EXTRA_CA_CERTS: file('ca.pem', authority.cert),
    },
    tokensGiven: () => tokens,
    tokensShown: () => shown.size,
    close: async () => {
      for (const server of [manager, active]) {
        server.close()
        server.closeAllConnections()
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
