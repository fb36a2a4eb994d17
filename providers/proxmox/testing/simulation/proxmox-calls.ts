import { type HttpResponse, NoResponseError, type Send } from '@kerf/provider-kit'
import { type CloudCall, CloudError } from '@kerf/sandbox'
import type { FailedCall } from '../../../../tests/simulation/environment/cloud-faults.ts'

/** The process that sends the requests. */
interface Caller {
  readonly isDead: boolean
}

const never = <T>(): Promise<T> => new Promise<T>(() => {})

const refused = (status: number, statusText: string): HttpResponse => ({
  ...{ status, statusText, headers: {}, text: '{"data":null}' },
})

const isThrottled = (error: Error | undefined): boolean => error instanceof CloudError && error.code === 'Throttled'

/** Returns the response of a failed call. Throws if the response is lost. */
const failure = (error: Error): HttpResponse => {
  if (isThrottled(error)) return refused(429, 'Too Many Requests')
  if (!error.message.includes('connection')) return refused(500, 'got timeout')
  throw new NoResponseError('pve.test', {
    ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection broke', wasNeverSent: false },
  })
}

/** Returns the call with a verb that all simulated clouds share. */
const callFor = (method: string, path: string): CloudCall => {
  if (method === 'DELETE' || path.endsWith('/status/stop')) return { verb: 'terminate', subject: path }
  if (method !== 'GET') return { verb: 'run', subject: path }
  return { verb: path.includes('/qemu/') ? 'describe' : 'list', subject: path }
}

/** Returns the connection for one process. It drops requests of dead processes, and injects faults into all others. */
export const faultySend =
  (caller: Caller, send: Send, called: (call: CloudCall) => FailedCall | undefined): Send =>
  async (request, signal) => {
    if (caller.isDead) return await never<HttpResponse>()
    const fault = called(callFor(request.method, request.url.pathname))
    if (caller.isDead && fault?.after === undefined) return await never<HttpResponse>()
    // A proxy refuses a throttled request before Proxmox receives it.
    const early = fault?.before ?? (isThrottled(fault?.after) ? fault?.after : undefined)
    if (early !== undefined) return failure(early)
    const answer = await send(request, signal)
    if (caller.isDead) return await never<HttpResponse>()
    return fault?.after === undefined ? answer : failure(fault.after)
  }
