import type { FakeBizfly } from '@kerf/provider-bizfly/testing'
import type { CloudCall } from '@kerf/sandbox'
import { HttpCalls, type HttpCallsDeps } from '../../../../tests/simulation/environment/http-calls.ts'
import type { BizflyFault } from './bizfly-fault.ts'

type CallFault = Extract<BizflyFault, { readonly kind: 'bizfly-call' }>

const verbOf = (call: string): CloudCall['verb'] => {
  if (call === 'launchServer') return 'run'
  if (call === 'deleteServer') return 'terminate'
  return call === 'server' || call === 'servers' ? 'describe' : 'list'
}

/** Returns the connections through which processes send requests to Bizfly Cloud. */
export const bizflyCalls = (fake: FakeBizfly, called: HttpCallsDeps<CallFault>['called']): HttpCalls<CallFault> =>
  new HttpCalls({
    host: 'bizfly.test',
    send: (request, signal) => fake.send(request, signal),
    nameOf: (request) => fake.callOf(request),
    ...{ verbOf, called, failing: ({ call }: CallFault) => call },
    refusal: (failure) => ({
      status: failure === 'throttled' ? 429 : 500,
      headers: {},
      text: '{"message": "simulated"}',
    }),
  })
