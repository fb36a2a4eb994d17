import { defineErrors, entry } from '@kerf/runtime'

/** Errors of the Alibaba Cloud provider. */
export const alibabaErrors = defineErrors('alibaba', {
  NoAlibabaCredentials: entry({
    when: 'No source of credentials gives an access key for Alibaba Cloud.',
    text: (e: { problem: string }) => `there are no credentials for Alibaba Cloud: ${e.problem}`,
    next: 'use RRSA for the service account, or set ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET',
    example: { problem: 'unable to get credentials from any of the providers in the chain' },
  }),
  InstanceStarting: entry({
    when: 'An instance is to be deleted while it still starts.',
    text: (e: { id: string; status: string }) => `instance ${e.id} is ${e.status} and cannot be deleted yet`,
    next: 'wait; Kerf repeats the deletion',
    example: { id: 'i-bp1', status: 'Starting' },
  }),
  NothingKnown: entry({
    when: 'The API has not answered what a node class or a plan depends on.',
    text: (e: { what: string; problem: string }) => `${e.what} are not known yet: ${e.problem}`,
    next: 'wait, or correct what the message names',
    example: { what: 'instance types', problem: 'Throttling.User' },
  }),
})
