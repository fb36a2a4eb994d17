/**
 * A server's address as logs, messages and pages may show it: scheme, host and port. A user and password in it are secret,
 * and so may be the path: the sandbox's address holds its token there, as client-go sends none over plain HTTP.
 */
export const shownServer = (server: string): string => (URL.canParse(server) ? new URL(server).origin : server)
