import type { HttpCall, HttpResponse } from '@kerf/provider-kit'
import type { MachineApi } from './azure-api.ts'
import { refused } from './http-refusal.ts'
import type { Machine } from './machine-shapes.ts'
import { restList } from './rest-list.ts'
import type { SdkOptions } from './sdk-clients.ts'
import { asked } from './sdk-error.ts'

/** The first API version in which a machine's zones and subnet can be written. The SDK's client has only stable versions. */
const MACHINES_API_VERSION = '2026-03-02-preview'

/** Returns the API for AKS machines, over the same connection as the SDK's calls. */
export const sdkMachines = ({ endpoint, http }: SdkOptions): MachineApi => {
  const urlOf = (pool: string, path: string): URL => {
    const url = new URL(`${pool}/${path}`, endpoint)
    url.searchParams.set('api-version', MACHINES_API_VERSION)
    return url
  }
  const machineUrl = (pool: string, name: string): URL => urlOf(pool, `machines/${encodeURIComponent(name)}`)
  const call = async (request: HttpCall, signal: AbortSignal): Promise<HttpResponse> =>
    http.call(request, signal).catch((error: unknown) => {
      throw refused(error)
    })
  return {
    machine: (pool, name, signal) =>
      asked(async () => JSON.parse((await call({ method: 'GET', url: machineUrl(pool, name) }, signal)).text), signal),
    machines: (pool, signal) => asked(() => restList<Machine>(http, urlOf(pool, 'machines'), signal), signal),
    putMachine: (pool, name, machine, eTag, signal) =>
      asked(async () => {
        const headers = {
          'content-type': 'application/json',
          // Without this header AKS refuses a spot machine of the mode System.
          AllowSpotVMSystemNode: 'true',
          ...(eTag === undefined ? {} : { 'if-match': eTag }),
        }
        await call({ method: 'PUT', url: machineUrl(pool, name), headers, body: JSON.stringify(machine) }, signal)
      }, signal),
    deleteMachine: (pool, name, signal) =>
      asked(async () => {
        const body = JSON.stringify({ machineNames: [name] })
        const headers = { 'content-type': 'application/json' }
        const request = { method: 'POST', url: urlOf(pool, 'deleteMachines'), headers, body } as const
        // Repeating the request is safe, because the second deletion finds nothing to delete.
        await call({ ...request, isRepeatable: true }, signal)
      }, signal),
  }
}
