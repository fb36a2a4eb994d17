import { type LoopbackServer, serveLoopback } from '@kerf/provider-kit/testing'
import type { FakeProxmox } from './fake-proxmox.ts'

/** Serves the fake on a loopback address with TLS, like Proxmox. The returned URL is the API's. */
export const serveProxmox = async (
  fake: FakeProxmox,
  certificate: { readonly cert: string; readonly key: string },
): Promise<LoopbackServer> => {
  const served = await serveLoopback(fake.send, certificate)
  return { ...served, url: `${served.url}/api2/json` }
}
