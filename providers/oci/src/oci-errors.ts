import { defineErrors, entry } from '@kerf/runtime'

/** Errors of the Oracle Cloud provider. */
export const ociErrors = defineErrors('oci', {
  NoOciCredentials: entry({
    when: 'The source of credentials that the settings name gives none.',
    text: (e: { method: string; problem: string }) => `${e.method} gives no credentials for Oracle Cloud: ${e.problem}`,
    next: 'check the authentication method of the settings, and what it reads',
    example: { method: 'INSTANCE_PRINCIPAL', problem: 'no response from 169.254.169.254' },
  }),
  NoOciData: entry({
    when: 'Oracle Cloud has not answered what a node class or a plan depends on.',
    text: (e: { what: string; problem: string }) => `${e.what} are not known yet: ${e.problem}`,
    next: 'wait, or correct what the message names',
    example: { what: 'shapes', problem: 'TooManyRequests' },
  }),
})
