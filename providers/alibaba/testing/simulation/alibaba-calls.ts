import { type FakeAlibaba, throttled } from '@kerf/provider-alibaba/testing'
import type { HttpResponse } from '@kerf/provider-kit'
import type { CloudCall } from '@kerf/sandbox'
import { HttpCalls, type HttpCallsDeps } from '../../../../tests/simulation/environment/http-calls.ts'
import type { AlibabaFault } from './alibaba-fault.ts'

type CallFault = Extract<AlibabaFault, { readonly kind: 'alibaba-call' }>
export type AlibabaCalls = HttpCalls<CallFault>

const refused = (status: number, code: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify({ Code: code, code, Message: 'simulated', message: 'simulated', RequestId: 'SIMULATED' }),
})

const verbOf = (action: string): CloudCall['verb'] => {
  if (action === 'DeleteInstance') return 'terminate'
  if (action === 'CreateAutoProvisioningGroup' || action === 'AddTags') return 'run'
  return action === 'DescribeInstances' ? 'describe' : 'list'
}

/** Returns the connections through which processes send requests to Alibaba Cloud. */
export const alibabaCalls = (fake: FakeAlibaba, called: HttpCallsDeps<CallFault>['called']): AlibabaCalls =>
  new HttpCalls({
    host: 'ecs.test',
    send: (request, signal) => fake.send(request, signal),
    nameOf: ({ headers = {} }) => headers['x-acs-action'] ?? '',
    ...{ verbOf, called, failing: ({ action }: CallFault) => action },
    refusal: (failure) =>
      failure === 'throttled' ? refused(throttled.status, throttled.code) : refused(500, 'InternalError'),
  })
