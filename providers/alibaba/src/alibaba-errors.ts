import { defineErrors, entry } from '@kerf/runtime'

/** Errors of the Alibaba Cloud provider. */
export const alibabaErrors = defineErrors('alibaba', {
  NoAlibabaCredentials: entry({
    when: 'No source of credentials gives an access key for Alibaba Cloud.',
    text: (e: { problem: string }) => `there are no credentials for Alibaba Cloud: ${e.problem}`,
    next: 'use RRSA for the service account, or set ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET',
    example: { problem: 'unable to get credentials from any of the providers in the chain' },
  }),
})
