import type { Page } from 'playwright-core'

/** Requests that Headlamp makes even if their resources do not exist. The browser logs an error for each. */
const HEADLAMP_PROBES =
  /\/apis\/(apiextensions\.k8s\.io\/v1beta1|extensions\/v1beta1|metrics\.k8s\.io|gateway\.networking\.k8s\.io|scheduling\.k8s\.io|autoscaling\.k8s\.io|jobset\.x-k8s\.io)\/|\/nodes\/[^/]+\/proxy\/stats\/summary/

/** Calls `report` with the console errors of a page, except those that Headlamp itself causes. */
export const reportComplaints = (page: Page, report: (text: string) => void): void => {
  const complain = (text: string): void => report(`${new URL(page.url()).pathname}: ${text}`)
  page.on('console', (message) => {
    if (message.type() !== 'error' || HEADLAMP_PROBES.test(message.location().url)) return
    // Headlamp logs this when it closes a socket that is still connecting. If a server refuses or breaks a connection, the browser logs a
    // different message, and that one counts as an error.
    if (message.text() === 'WebSocket error: Event') return
    // Headlamp's node page checks permissions before it has loaded the node.
    if (/^TypeError: Cannot read properties of null \(reading 'apiName'\)/.test(message.text())) return
    complain(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => complain(error.message))
}
