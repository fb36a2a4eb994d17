import { defineErrors, entry } from '@kerf/runtime'

/** Errors of the Bizfly Cloud provider. */
export const bizflyErrors = defineErrors('bizfly', {
  BizflySignInRefused: entry({
    when: 'Bizfly Cloud does not accept the credentials.',
    text: (e: { problem: string }) => `Bizfly Cloud refuses the sign-in: ${e.problem}`,
    next: 'correct BIZFLY_CLOUD_EMAIL and BIZFLY_CLOUD_PASSWORD, or BIZFLY_CLOUD_APP_CRED_ID and BIZFLY_CLOUD_APP_CRED_SECRET',
    example: { problem: 'HTTP status 401' },
  }),
  NoBizflyService: entry({
    when: 'The catalogue of Bizfly Cloud has no address of a service in the region.',
    text: (e: { service: string; region: string; regions: string }) =>
      `the catalogue has ${e.service} in ${e.regions}, not in ${e.region}`,
    next: 'correct BIZFLY_CLOUD_REGION',
    example: { service: 'cloud_server', region: 'HN', regions: 'HoChiMinh' },
  }),
  NoBizflyAnswer: entry({
    when: 'Bizfly Cloud or the cluster has not answered what a node class or a plan depends on.',
    text: (e: { what: string; problem: string }) => `${e.what} are not known yet: ${e.problem}`,
    next: 'wait, or correct what the message names',
    example: { what: 'instance types', problem: 'HTTP status 503' },
  }),
})
