import type { HttpResponse } from '@kerf/provider-kit'
import { type FakeOci, operationName, throttled } from '@kerf/provider-oci/testing'
import type { CloudCall } from '@kerf/sandbox'
import { HttpCalls, type HttpCallsDeps } from '../../../../tests/simulation/environment/http-calls.ts'
import type { OciFault } from './oci-fault.ts'

type CallFault = Extract<OciFault, { readonly kind: 'oci-call' }>
export type OciCalls = HttpCalls<CallFault>

const refused = (status: number, code: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'opc-request-id': 'SIMULATED' },
  text: JSON.stringify({ code, message: 'simulated' }),
})

const verbOf = (operation: string): CloudCall['verb'] => {
  if (operation === 'TerminateInstance') return 'terminate'
  if (operation === 'LaunchInstance' || operation === 'UpdateInstance') return 'run'
  return operation === 'GetInstance' ? 'describe' : 'list'
}

/** Returns the connections through which processes send requests to Oracle Cloud. */
export const ociCalls = (fake: FakeOci, called: HttpCallsDeps<CallFault>['called']): OciCalls =>
  new HttpCalls({
    host: 'iaas.test',
    send: (request, signal) => fake.send(request, signal),
    nameOf: (request) => operationName(request) ?? '',
    ...{ verbOf, called, failing: ({ operation }: CallFault) => operation },
    refusal: (failure) =>
      failure === 'throttled' ? refused(throttled.status, throttled.code) : refused(500, 'InternalServerError'),
  })
