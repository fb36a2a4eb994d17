import type { HttpRequest } from '@kerf/provider-kit'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { type Account, proxmoxCredentials } from './credentials.ts'

const never = new AbortController().signal
const url = 'https://pve-1.example.com:8006/api2/json'
const TICKET = 'PVE:root@pam:65A1B2C3::abc+/='

const harness = (account: Account) => {
  const sent: HttpRequest[] = []
  const clock = new VirtualClock()
  const credentials = proxmoxCredentials({
    ...{ url, clock, random: new SeededRandom(1), readAccount: async () => account },
    send: async (request) => {
      sent.push(request)
      const data = { ticket: TICKET, CSRFPreventionToken: `csrf-${sent.length}` }
      return { status: 200, headers: {}, text: JSON.stringify({ data }) }
    },
  })
  const headers = async () => {
    const { headers: made } = await credentials.authorize({ method: 'GET', url: new URL(url) }, never)
    return made
  }
  return { sent, clock, headers, credentials }
}

test('an API token is sent in one header, without a login', async () => {
  const { sent, headers } = harness({ tokenId: 'kerf@pve!kerf', tokenSecret: 'secret' })
  expect(await headers()).toEqual({ authorization: 'PVEAPIToken=kerf@pve!kerf=secret' })
  expect(sent).toEqual([])
})

test('a user logs in once for a ticket, and again before it expires or after Proxmox refuses it', async () => {
  const { sent, clock, headers, credentials } = harness({ username: 'root@pam', password: 'p&w' })
  const first = { cookie: `PVEAuthCookie=${TICKET}`, CSRFPreventionToken: 'csrf-1' }
  expect([await headers(), await headers()]).toEqual([first, first])
  expect(sent.map(({ method, url: to, body }) => [method, to.href, body])).toEqual([
    ['POST', `${url}/access/ticket`, 'username=root%40pam&password=p%26w'],
  ])
  await clock.advance(2 * 3_600_000)
  expect(await headers()).toMatchObject({ CSRFPreventionToken: 'csrf-2' })
  credentials.invalidate({ method: 'GET', url: new URL(url), headers: (await headers()) ?? {} })
  expect(await headers()).toMatchObject({ CSRFPreventionToken: 'csrf-3' })
})
