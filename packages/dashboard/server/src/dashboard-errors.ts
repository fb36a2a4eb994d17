import { defineErrors, entry } from '@kerf/runtime'

export const dashboardErrors = defineErrors('dashboard', {
  DashboardBuild: entry({
    when: 'The dashboard’s frontend or plugin cannot be installed or bundled.',
    text: (e: { readonly step: string; readonly cause: string }) =>
      `cannot build the dashboard: ${e.step} failed: ${e.cause}`,
    next: 'check that npm can reach its registry; everything else works without the dashboard',
    example: { step: 'npm ci', cause: 'network unreachable' },
  }),
  ProxyRefused: entry({
    when: 'The SOCKS5 proxy of the kubeconfig does not connect the dashboard to the API server.',
    text: (e: { readonly problem: string }) => e.problem,
    next: 'check proxy-url of the cluster in the kubeconfig',
    example: { problem: 'the SOCKS5 proxy rejects the user name and password' },
  }),
})
